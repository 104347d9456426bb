/** For a suite: what each test has anew. It ends with the test, where it can be closed. */
export function forEachTest<Value extends object>(open: () => Promise<Value>): Value {
  let value: Value & Partial<AsyncDisposable>;
  beforeEach(async () => {
    value = await open();
  });
  afterEach(() => value?.[Symbol.asyncDispose]?.());
  return new Proxy({} as Value, {
    get: (_none, name) => Reflect.get(value, name),
    set: (_none, name, to) => Reflect.set(value, name, to),
  });
}
