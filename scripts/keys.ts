import { createVapidKeys } from "./local/vapid-keys";

/** `npm run keys`: makes the keys that sign pushes, as lines for `.dev.vars`. See docs/operations.md for deploying. */
const { publicKey, privateKey } = createVapidKeys();
console.log(`VAPID_PUBLIC_KEY=${publicKey}\nVAPID_PRIVATE_KEY=${privateKey}`);
