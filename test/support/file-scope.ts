let scope = new AsyncDisposableStack();

/** Keeps something open until the last test of this file, so that its tests share it. */
export function untilFileEnds<T extends AsyncDisposable>(shared: T): T {
  return scope.use(shared);
}

export async function endFile(): Promise<void> {
  const ended = scope;
  scope = new AsyncDisposableStack();
  await ended.disposeAsync();
}
