import { describe, expect, it } from "vitest";
import { nameDevice } from "../../app/features/auth/sessions/device.server";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";
const ANDROID = "Mozilla/5.0 (Linux; Android 10; K)";
const MAC = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)";
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";

describe("a device's name", () => {
  it.each([
    ["Chrome on Windows", `${WINDOWS} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`],
    ["Microsoft Edge on Windows", `${WINDOWS} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`],
    ["Opera on Windows", `${WINDOWS} ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0`],
    ["Firefox on Windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0"],
    ["Internet Explorer on Windows", "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko"],
    ["Vivaldi on Windows", `${WINDOWS} ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 Vivaldi/7.5.3735.66`],
    ["Yandex Browser on Windows", `${WINDOWS} ${WEBKIT} Chrome/138.0.0.0 YaBrowser/25.8.0.0 Safari/537.36`],
    ["Safari on macOS", `${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15`],
    ["Chrome on macOS", `${MAC} ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`],
    ["Chrome on Linux", `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/140.0.0.0 Safari/537.36`],
    ["Firefox on Linux", "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"],
    ["Chrome on Chrome OS", `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`],
    ["Chrome on Android", `${ANDROID} ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`],
    ["Samsung Internet on Android", `${ANDROID} ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`],
    ["Microsoft Edge on Android", `${ANDROID} ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36 EdgA/140.0.0.0`],
    ["Safari on iOS", `${IPHONE} Version/18.0 Mobile/15E148 Safari/604.1`],
    ["Chrome on iOS", `${IPHONE} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`],
    ["Firefox on iOS", `${IPHONE} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`],
    ["iOS", `${IPHONE} Mobile/15E148`],
    ["Unknown device", "<b>curl</b>"],
    ["Unknown device", ""],
    ["Unknown device", null],
  ])("is %s", (name, userAgent) => {
    expect(nameDevice(userAgent)).toBe(name);
  });
});
