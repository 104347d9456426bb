const MOST_WORDS = 8;

/** Finds a name by its words: their letters and digits in small letters, without accents. */
export function wordsOf(name: string): string[] {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return [...new Set(plain.match(/[\p{L}\p{N}]+/gu))].slice(0, MOST_WORDS);
}
