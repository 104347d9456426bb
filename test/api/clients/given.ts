import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { listen } from '../../../config/listen.ts';
import type { Stack } from '../../support/stack.ts';

export const runFile = promisify(execFile);

/** A merchant's project with the client that the stack hands out. */
export interface Shop {
  folder: string;
  /** Where the package is. */
  installed: string;
  /** What it exports. Its types are made of the document: the test of types compiles against them. */
  module: any;
  /** With the tenant's secret test key. */
  payments: any;
}

/** Unpacks the client for the tests of a `describe`; the object is filled when they begin. */
export function useShop(stack: Stack): Shop {
  const shop = {} as Shop;
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shop-'));
    const installed = join(folder, 'node_modules', 'payment-collection-client');
    const tarball = join(folder, 'node.tgz');
    await mkdir(installed, { recursive: true });
    const response = await fetch(`${stack.origin}/clients/node.tgz`);
    await writeFile(tarball, Buffer.from(await response.arrayBuffer()));
    await runFile('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1']);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const module = await import(pathToFileURL(join(installed, 'index.js')).href);
    const payments = new module.Payments({ key: stack.tenant.secret_key_test });
    Object.assign(shop, { folder, installed, module, payments });
  });
  after(() => rm(shop.folder, { recursive: true }));
  return shop;
}

/** Runs until it is disposed of; `url` has no slash at its end. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener);
  const { port, ...listening } = await listen(server, 0, '127.0.0.1');
  return { ...listening, url: `http://127.0.0.1:${port}` };
}
