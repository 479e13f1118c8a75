/**
 * Replaces React for imports in the Worker (scripts/local/bundle.ts): it exports the parts of the real React by name.
 * React is CommonJS. Each module that imported it directly would contain code of its own to access it. A named export
 * costs one variable for all modules instead. The hooks for effects are empty functions here. That loses nothing,
 * because effects never run on a server: React's server renderer has empty functions for them as well. esbuild removes
 * calls to empty functions, and with them the code of the effects.
 */
import * as React from "react";

export { default } from "react";

export const Children = React.Children;
export const Component = React.Component;
export const Fragment = React.Fragment;
export const Profiler = React.Profiler;
export const PureComponent = React.PureComponent;
export const StrictMode = React.StrictMode;
export const Suspense = React.Suspense;
export const cloneElement = React.cloneElement;
export const createContext = React.createContext;
export const createElement = React.createElement;
export const createFactory = React.createFactory;
export const createRef = React.createRef;
export const forwardRef = React.forwardRef;
export const isValidElement = React.isValidElement;
export const lazy = React.lazy;
export const memo = React.memo;
export const startTransition = React.startTransition;
export const useCallback = React.useCallback;
export const useContext = React.useContext;
export const useDebugValue = React.useDebugValue;
export const useDeferredValue = React.useDeferredValue;
export const useId = React.useId;
export const useMemo = React.useMemo;
export const useReducer = React.useReducer;
export const useRef = React.useRef;
export const useState = React.useState;
export const useSyncExternalStore = React.useSyncExternalStore;
export const useTransition = React.useTransition;
export const version = React.version;

export function useEffect() {}
export function useImperativeHandle() {}
export function useInsertionEffect() {}
export function useLayoutEffect() {}
