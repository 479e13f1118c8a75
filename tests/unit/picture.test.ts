import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_PICTURE_SIDE } from "../../app/features/players/picture/picture-limits";
import { type Picture, readPicture } from "../../app/features/players/picture/strip-metadata";
import { exif, jpeg, jpegSegment, png, pngChunk, webp, webpChunk } from "../support/pictures";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

function read(bytes: Uint8Array): Picture {
  const picture = readPicture(bytes);
  if (typeof picture === "string") throw new Error(`The picture was refused: ${picture}.`);
  return picture;
}

const side = fc.integer({ min: 1, max: MAX_PICTURE_SIDE });
/** Private metadata that must not stay in a picture. */
const secret = fc.string({ minLength: 0, maxLength: 40 }).map((rest) => `SECRET${rest}`.replace(/[^\x20-\x7e]/g, "x"));

const METADATA = {
  png: secret.chain((words) =>
    fc.subarray([
      pngChunk("tEXt", `Author\0${words}`),
      pngChunk("iTXt", words),
      pngChunk("zTXt", words),
      pngChunk("eXIf", words),
      pngChunk("iCCP", words),
      pngChunk("tIME", words),
      pngChunk("prVt", words),
    ]),
  ),
  jpeg: secret.chain((words) =>
    fc.subarray([
      jpegSegment(0xe0, `JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01${words}`),
      jpegSegment(0xe0, `JFXX\0${words}`),
      exif(1, words),
      jpegSegment(0xe1, `http://ns.adobe.com/xap/1.0/\0${words}`),
      jpegSegment(0xe2, `ICC_PROFILE\0${words}`),
      jpegSegment(0xed, `Photoshop 3.0\0${words}`),
      jpegSegment(0xee, `Adobe\0\x64\0\0\0\0\x01${words}`),
      jpegSegment(0xfe, words),
    ]),
  ),
  webp: secret.chain((words) =>
    fc.subarray([
      webpChunk("EXIF", words),
      webpChunk("XMP ", words),
      webpChunk("ICCP", words),
      webpChunk("abcd", words),
    ]),
  ),
};

const FORMATS = [
  { type: "image/png", make: png, metadata: METADATA.png },
  { type: "image/jpeg", make: jpeg, metadata: METADATA.jpeg },
  { type: "image/webp", make: webp, metadata: METADATA.webp },
] as const;

describe.each(FORMATS)("A picture of type $type", ({ type, make, metadata }) => {
  test("is recognised by its bytes, with its size, whatever metadata it holds", () => {
    fc.assert(
      fc.property(side, side, metadata, (width, height, extra) => {
        expect(read(make(width, height, extra))).toMatchObject({ type, width, height });
      }),
    );
  });

  test("loses its metadata and anything after its end", () => {
    fc.assert(
      fc.property(side, side, metadata, (width, height, extra) => {
        const file = Buffer.concat([make(width, height, extra), Buffer.from("SECRET after the end")]);
        const kept = read(file).bytes;
        expect(text(kept)).not.toContain("SECRET");
        // Reading the stripped picture again changes nothing.
        expect(read(kept)).toEqual({ type, width, height, bytes: kept });
      }),
    );
  });

  test("with missing or wrong bytes is refused, or still read as a valid picture, without an exception", () => {
    fc.assert(
      fc.property(
        side,
        side,
        metadata,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (width, height, extra, changes, part) => {
          const file = make(width, height, extra).slice();
          for (const [at, value] of changes) file[at % file.length] = value;
          const cut = file.subarray(0, Math.ceil(file.length * part));
          for (const bytes of [file, cut]) {
            const picture = readPicture(bytes);
            if (typeof picture === "string") continue;
            expect(picture.width).toBeLessThanOrEqual(MAX_PICTURE_SIDE);
            expect(picture.height).toBeLessThanOrEqual(MAX_PICTURE_SIDE);
            expect(read(picture.bytes)).toEqual(picture);
          }
        },
      ),
    );
  });

  test("that is incomplete is refused", () => {
    const file = make(300, 200);
    for (let length = 0; length < file.length; length += 1) {
      expect(typeof readPicture(file.subarray(0, length)), `${length} bytes`).toBe("string");
    }
  });

  test("that is too wide or too high is refused", () => {
    expect(readPicture(make(MAX_PICTURE_SIDE + 1, 1))).toBe("side-too-long");
    expect(readPicture(make(1, MAX_PICTURE_SIDE + 1))).toBe("side-too-long");
  });
});

test("Arbitrary bytes are refused without an exception", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(typeof readPicture(bytes)).toBe("string");
    }),
  );
});

test("A file of any other type is unknown", () => {
  for (const file of ["<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "GIF89a\x01\0\x01\0", "<html>", ""]) {
    expect(readPicture(Buffer.from(file, "latin1"))).toBe("unknown");
  }
});

test("An animated picture is refused", () => {
  expect(readPicture(png(10, 10, [pngChunk("acTL", "\0\0\0\x02\0\0\0\0")]))).toBe("animated");
  expect(readPicture(webp(10, 10, [webpChunk("ANIM", "\0\0\0\0\0\0")]))).toBe("animated");
  expect(readPicture(webp(10, 10, [webpChunk("EXIF", "x")], 0x02))).toBe("animated");
});

test("A picture whose parts disagree about its size is refused as broken", () => {
  const file = webp(10, 10, [webpChunk("EXIF", "x")]).slice();
  file[24] = 99;
  expect(readPicture(file)).toBe("broken");
});

test("A photo keeps its orientation and loses the rest of its Exif", () => {
  for (const isLittleEndian of [false, true]) {
    for (let orientation = 2; orientation <= 8; orientation += 1) {
      const kept = read(jpeg(30, 20, [exif(orientation, "SECRET place", isLittleEndian)])).bytes;
      expect(text(kept)).not.toContain("SECRET");
      const again = read(jpeg(30, 20, [exif(orientation, "another place", !isLittleEndian)])).bytes;
      expect(kept).toEqual(again);
      expect(kept[kept.indexOf(0x12) + 8]).toBe(orientation);
    }
    const upright = read(jpeg(30, 20, [exif(1, "SECRET place", isLittleEndian)])).bytes;
    expect(upright).toEqual(read(jpeg(30, 20)).bytes);
  }
});

test("A JPEG's compressed data stays unchanged in all its scans, with the tables between them", () => {
  const scans = fc.array(fc.array(fc.integer({ min: 0, max: 254 }), { maxLength: 100 }), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(scans, ([first = [], ...later]) => {
      /** A progressive picture: each later scan follows tables of its own, and here also metadata. */
      const progressive = (extra: readonly Uint8Array[]) => {
        const file = jpeg(30, 20, extra, first);
        const rest = later.flatMap((scan) => [
          jpegSegment(0xc4, Uint8Array.of(0, ...Array(16).fill(0))),
          ...extra,
          jpegSegment(0xda, Uint8Array.of(1, 1, 0, 0, 63, 0)),
          Uint8Array.from(scan),
        ]);
        return new Uint8Array(Buffer.concat([file.subarray(0, -2), ...rest, file.subarray(-2)]));
      };
      expect(read(progressive([jpegSegment(0xfe, "SECRET")])).bytes).toEqual(progressive([]));
    }),
  );
});
