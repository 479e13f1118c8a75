/**
 * Replaces React for imports in the Worker (scripts/local/bundle.ts): React itself, exported by name. React is
 * CommonJS, for which each importing module would contain its own access code; for named exports, esbuild creates one
 * variable each. Effects are empty functions here, which drops their code: they never run on a server, where React's
 * renderer has empty functions for them as well, and esbuild removes calls of empty functions.
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
