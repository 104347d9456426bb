/** The lines of a text area that are not empty; of several with one name, those of each. */
export function linesOf(value: string | string[] | undefined): string[] {
  const texts = [value ?? []].flat();
  return texts.flatMap((text) => text.split(/\s+/)).filter((line) => line !== '');
}
