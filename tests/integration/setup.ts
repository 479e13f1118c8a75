import { restartNumbers } from "./players";

// Runs before each test file. Numbers stay short, and are the same whichever files ran before.
restartNumbers();
