import { build } from "./local/build";

await build();
console.log("The build is in build/ and public/build/.");
