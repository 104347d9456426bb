import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

interface Rule {
  expr: string;
  alert?: string;
  record?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

type Alert = Required<Omit<Rule, 'record'>>;

const folder = new URL('../../config/observability/', import.meta.url);

export async function ruleFiles(): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.rules.yaml'));
  return names.map((name) => fileURLToPath(new URL(name, folder)));
}

export async function readRules(): Promise<Rule[]> {
  const texts = await Promise.all((await ruleFiles()).map((file) => readFile(file, 'utf8')));
  return texts.flatMap((text) => parse(text).groups.flatMap((group: any) => group.rules));
}

export async function readAlerts(): Promise<Alert[]> {
  return (await readRules()).filter((rule): rule is Alert => rule.alert !== undefined);
}
