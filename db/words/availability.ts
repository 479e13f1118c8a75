/** When a player usually plays. Seven numbers, Monday first: bit 0 is the morning, bit 4 the night. */
export type Availability = readonly number[];
