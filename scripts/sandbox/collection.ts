import { isDeepStrictEqual } from 'node:util';

/** What a collection needs to know of its documents. */
export interface Kept<Document> {
  firstId: number;
  /** What a document is found by. They may change with it. */
  keys(document: Document): string[];
  /** Documents that nobody asks for any more stay in the database alone. */
  isOver?(document: Document): boolean;
}

/** Documents of one kind, in memory. */
export type Collection<Document extends { id: number }> = ReturnType<
  typeof createCollection<Document>
>;

/** An empty collection. `onChange` is called with every document to be written. */
export function createCollection<Document extends { id: number }>(
  { firstId, keys, isOver = () => false }: Kept<Document>,
  onChange: (document: Document, isRemoved: boolean) => void,
) {
  const byId = new Map<number, Document>();
  const byKey = new Map<string, Set<Document>>();
  let lastId = firstId - 1;

  function index(document: Document): void {
    lastId = Math.max(lastId, document.id);
    if (isOver(document)) return;
    byId.set(document.id, document);
    for (const key of keys(document)) {
      const found = byKey.get(key);
      if (found) found.add(document);
      else byKey.set(key, new Set([document]));
    }
  }

  function leave(document: Document, left = keys(document)): void {
    byId.delete(document.id);
    for (const key of left) {
      const found = byKey.get(key);
      found?.delete(document);
      if (found?.size === 0) byKey.delete(key);
    }
  }

  return {
    /** The next document's number, unless it is given one. */
    nextId: () => lastId + 1,
    add(fields: Omit<Document, 'id'> & { id?: number }) {
      const document = { ...fields, id: fields.id ?? lastId + 1 } as Document;
      index(document);
      onChange(document, false);
      return document;
    },
    get: (id: number) => byId.get(id),
    /** Newest first. */
    find: (key: string) => [...(byKey.get(key) ?? [])].sort((a, b) => b.id - a.id),
    first: (key: string) => byKey.get(key)?.values().next().value,
    change(document: Document, patch: Partial<Document>) {
      const before = keys(document);
      Object.assign(document, patch);
      // What keeps its keys keeps its place: sets in the order of ids are sorted at no cost.
      if (isOver(document) || !isDeepStrictEqual(keys(document), before)) {
        leave(document, before);
        index(document);
      }
      onChange(document, false);
      return document;
    },
    remove(document: Document) {
      leave(document);
      onChange(document, true);
    },
    /** Takes a document that is in the database, unless it is here. */
    keep(document: Document) {
      if (!byId.has(document.id)) index(document);
    },
    /** Gives no document this number again. */
    reserve(id: number) {
      lastId = Math.max(lastId, id);
    },
  };
}
