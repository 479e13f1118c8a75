export * from "./accounts";
export * from "./lfg";
export * from "./messages";
export * from "./notifications";
export * from "./players";
export * from "./security";
