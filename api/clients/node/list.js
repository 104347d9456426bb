/** @param {(more?: object) => Promise<any>} read Reads a page, with more fields in its query. */
export function listOf(read) {
  async function* pages() {
    for (let more = {}; ; ) {
      const page = await read(more);
      // The feed of events has a cursor on its last page too.
      if (page.data.length > 0) yield page;
      if (page.data.length === 0 || !page.next_cursor) return;
      more = { cursor: page.next_cursor, after: undefined };
    }
  }
  return {
    page: () => read(),
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const { data } of pages()) yield* data;
    },
  };
}
