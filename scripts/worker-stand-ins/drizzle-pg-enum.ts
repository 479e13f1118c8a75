/**
 * What the Worker has in place of PostgreSQL's enums and with them its columns and tables (scripts/local/bundle.ts). Drizzle
 * asks each value of a statement whether it is one.
 */
export const isPgEnum = () => false;
