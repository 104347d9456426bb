import { readFileSync } from 'node:fs';
import type { Sample } from './samples.ts';

export interface Shop extends Sample {
  file: string;
}

/** Whole programs, which the tests run, made for this deployment. */
export function readShops(publicUrl: string): Shop[] {
  return programs.map((program) => {
    const text = readFileSync(new URL(`./shops/${program.file}`, import.meta.url), 'utf8');
    return { ...program, code: text.replaceAll('{PUBLIC_URL}', publicUrl).trimEnd() };
  });
}

/** How a shop verifies a webhook: the paragraph of it that says so. */
export function verificationOf({ language, title, code }: Shop): Sample {
  const paragraph = code.split(/\n\n+/).find((one) => /is_?genuine\(|webhookListener\(/i.test(one));
  return { language, title, code: paragraph! };
}

const programs = [
  { language: 'node', title: 'Node', file: 'shop.mjs' },
  { language: 'python', title: 'Python', file: 'shop.py' },
  { language: 'php', title: 'PHP', file: 'shop.php' },
  { language: 'go', title: 'Go', file: 'shop.go' },
];
