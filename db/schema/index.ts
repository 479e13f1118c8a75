export * from "./accounts";
export * from "./lfg";
export * from "./players";
