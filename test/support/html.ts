const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** A text of a page as a reader sees it. */
export function unescaped(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name]!);
}

/** What is written in an element that holds no other, by what its tag looks like. */
export function textsIn(html: string, open: RegExp): string[] {
  return [...html.matchAll(new RegExp(`${open.source}([^<]*)<`, 'g'))].map(([, inner]) =>
    unescaped(inner!),
  );
}
