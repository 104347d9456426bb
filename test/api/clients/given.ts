import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { listen } from '../../../config/listen.ts';
import type { Stack } from '../../support/stack.ts';

export const runFile = promisify(execFile);

/** What is installed for the service. */
export const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** A merchant's project with a package that the stack hands out. */
interface Project {
  folder: string;
  /** Where the package is. */
  installed: string;
}

/** A project with the client. */
export interface Shop extends Project {
  /** What it exports. Its types are made of the document: the test of types compiles against them. */
  module: any;
  /** With the tenant's secret test key. */
  payments: any;
}

/** Unpacks the client for the tests of a `describe`; the object is filled when they begin. */
export function useShop(stack: Stack): Shop {
  const shop = usePackage(stack, 'payment-collection-client', 'node.tgz') as Shop;
  before(async () => {
    const module = await import(pathToFileURL(join(shop.installed, 'index.js')).href);
    const payments = new module.Payments({ key: stack.tenant.secret_key_test });
    Object.assign(shop, { module, payments });
  });
  return shop;
}

/** Unpacks a package in the same way, by the name of its file. */
export function usePackage(stack: Stack, name: string, file: string): Project {
  const project = {} as Project;
  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shop-'));
    const installed = join(folder, 'node_modules', name);
    const tarball = join(folder, file);
    await mkdir(installed, { recursive: true });
    const response = await fetch(`${stack.origin}/clients/${file}`);
    await writeFile(tarball, Buffer.from(await response.arrayBuffer()));
    await runFile('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1']);
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    Object.assign(project, { folder, installed });
  });
  after(() => rm(project.folder, { recursive: true }));
  return project;
}

/** Runs until it is disposed of; `url` has no slash at its end. */
export async function serve(listener: RequestListener) {
  const server = createServer(listener);
  const { port, ...listening } = await listen(server, 0, '127.0.0.1');
  return { ...listening, url: `http://127.0.0.1:${port}` };
}
