const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

export function unescaped(html: string): string {
  return html.replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name]!);
}
