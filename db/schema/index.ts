export * from "./accounts";
export * from "./feedback";
export * from "./lfg";
export * from "./messages";
export * from "./notifications";
export * from "./players";
export * from "./security";
export * from "./tournaments";
