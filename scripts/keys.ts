import { createVapidKeys } from "./local/vapid-keys";

/** `npm run keys`: makes the keys that sign pushes, as lines for `.dev.vars`. For a deployment, see docs/operations.md. */
const { publicKey, privateKey } = createVapidKeys();
console.log(`VAPID_PUBLIC_KEY=${publicKey}\nVAPID_PRIVATE_KEY=${privateKey}`);
