/** The fields of an address that are filled in; a form sends the empty ones too. */
export function filledFields(
  query: Record<string, string>,
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = query[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}

/** The address of everything a filter finds, as CSV. */
export function csvHref(path: string, filter: Record<string, string>): string {
  const query = new URLSearchParams(filter).toString();
  return `${path}.csv${query && `?${query}`}`;
}

/** The address of the next page of a filtered list, below `/dashboard`; undefined at its end. */
export function nextPage(
  path: string,
  filter: Record<string, string>,
  cursor: string | undefined,
): string | undefined {
  return cursor && `${path}?${new URLSearchParams({ ...filter, cursor })}`;
}
