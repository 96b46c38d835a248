// Pictures and films as WebP: Chromium encodes each picture, this file puts them into one file (RFC 9649).

const QUALITY = 0.82;
const BLOCK = 16; // pixels; what did not change in a block of that size is not stored again

/**
 * PNGs, each as the chunks of a WebP file, in a page of the browser. With `changes`, a picture has only the blocks that differ from the
 * one before; the rest is transparent.
 */
function encodeAll(page, pngs) {
    return page.evaluate(async ([all, quality, block]) => {
        const canvas = document.createElement("canvas");
        const context = canvas.getContext("2d", { willReadFrequently: true });
        const files = [];
        let before = null;
        for (const png of all) {
            const image = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))], { type: "image/png" }));
            canvas.width = image.width;
            canvas.height = image.height;
            context.drawImage(image, 0, 0);
            const { data } = context.getImageData(0, 0, image.width, image.height);
            const differs = (x, y) => {
                const columns = Math.min(block, image.width - x), rows = Math.min(block, image.height - y);
                for (let i = 0; i < rows; i++) {
                    const from = 4 * ((y + i) * image.width + x);
                    if (data.subarray(from, from + 4 * columns).some((value, k) => value !== before[from + k])) return true;
                }
                return false;
            };
            for (let y = 0; y < image.height; y += block) {
                for (let x = 0; x < image.width; x += block) {
                    if (before !== null && !differs(x, y)) context.clearRect(x, y, block, block);
                }
            }
            before = data;
            const blob = await new Promise((done) => canvas.toBlob(done, "image/webp", quality));
            let text = "";
            for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
            files.push({ width: image.width, height: image.height, data: btoa(text) });
        }
        return files;
    }, [pngs.map((png) => png.toString("base64")), QUALITY, BLOCK]);
}

export async function encode(page, png) {
    const [{ data }] = await encodeAll(page, [png]);
    return Buffer.from(data, "base64");
}

function number(value, bytes) {
    return Buffer.from(Array.from({ length: bytes }, (_, i) => (value >> (8 * i)) & 255));
}

function chunk(name, ...parts) {
    const body = Buffer.concat(parts);
    return Buffer.concat([Buffer.from(name), number(body.length, 4), body, Buffer.alloc(body.length % 2)]);
}

/** The chunks of a file that have the picture: its colours and its transparency. */
function pictureOf(file) {
    const chunks = [];
    for (let at = 12; at < file.length;) {
        const size = file.readUInt32LE(at + 4);
        const end = at + 8 + size + (size % 2);
        if (["VP8 ", "VP8L", "ALPH"].includes(file.toString("latin1", at, at + 4))) chunks.push(file.subarray(at, end));
        at = end;
    }
    return Buffer.concat(chunks);
}

/** PNGs of one size as a film that begins again at its end; each is shown for `ms`. */
export async function animate(page, pngs, ms) {
    const files = await encodeAll(page, pngs);
    const size = Buffer.concat([number(files[0].width - 1, 3), number(files[0].height - 1, 3)]);
    const chunks = [chunk("VP8X", number(0x12, 4), size), chunk("ANIM", number(0, 4), number(0, 2))]; // 0x12: moves, and has transparent pixels
    for (const { data } of files) {
        chunks.push(chunk("ANMF", number(0, 6), size, number(ms, 3), number(0, 1), pictureOf(Buffer.from(data, "base64"))));
    }
    return chunk("RIFF", Buffer.from("WEBP"), ...chunks);
}
