/** The lines of a text area that are not empty. */
export function linesOf(value: string | string[] | undefined): string[] {
  return typeof value === 'string' ? value.split(/\s+/).filter((line) => line !== '') : [];
}
