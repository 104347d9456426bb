import { readFileSync } from 'node:fs';
import type { Sample } from './samples.ts';

/** Whole programs, which the tests run. */
export function readReceivers(): (Sample & { file: string })[] {
  return programs.map((program) => {
    const code = readFileSync(
      new URL(`./receivers/${program.file}`, import.meta.url),
      'utf8',
    ).trimEnd();
    return { ...program, code };
  });
}

const programs = [
  { language: 'node', title: 'Node', file: 'receiver.mjs' },
  { language: 'python', title: 'Python', file: 'receiver.py' },
  { language: 'php', title: 'PHP', file: 'receiver.php' },
];
