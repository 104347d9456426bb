import { gzipSync } from 'node:zlib';

const BLOCK = 512;
/** As npm does it, so that the same files are the same bytes. */
const MODIFIED = Date.parse('1985-10-26T08:15:00Z') / 1000;

/** A package as `npm pack` makes it: its files by their paths of up to 92 ASCII characters. */
export function tarballOf(files: Record<string, string>): Buffer {
  const entries = Object.entries(files).flatMap(([path, text]) => {
    const content = Buffer.from(text);
    const padding = Buffer.alloc(-content.length & (BLOCK - 1));
    return [headerOf(`package/${path}`, content.length), content, padding];
  });
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]), { level: 9 });
}

/** POSIX ustar. */
function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, offset: number, length: number) =>
    header.write(value.toString(8).padStart(length - 1, '0'), offset);
  header.write(name, 0);
  octal(0o644, 100, 8);
  octal(0, 108, 8); // user
  octal(0, 116, 8); // group
  octal(size, 124, 12);
  octal(MODIFIED, 136, 12);
  header.write(' '.repeat(8), 148); // the checksum, as it counts itself
  header.write('0', 156); // a file
  header.write('ustar\x0000', 257);
  const checksum = header.reduce((sum, byte) => sum + byte, 0);
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
