import { javaScript, literalOf, php, python } from './literal.ts';

export interface SampleRequest {
  method: string;
  url: string;
  /** An environment variable; null: none is sent. */
  credential: string | null;
  idempotencyKey?: string;
  body?: unknown;
  /** The body is a picture of this type instead. */
  image?: string;
}

const FILE = 'logo.png';

export type Sample = { language: string; title: string; code: string };

/** Whole programs that print the answer, in every language of the reference. */
export function samplesOf(request: SampleRequest): Sample[] {
  return languages.map(({ language, title, write }) => ({ language, title, code: write(request) }));
}

export const languages: readonly {
  language: string;
  title: string;
  write: (request: SampleRequest) => string;
}[] = [
  { language: 'curl', title: 'curl', write: inCurl },
  { language: 'node', title: 'Node', write: inNode },
  { language: 'python', title: 'Python', write: inPython },
  { language: 'php', title: 'PHP', write: inPhp },
];

function headersOf({
  idempotencyKey,
  body,
  image,
}: SampleRequest): [name: string, value: string][] {
  const type = image ?? (body === undefined ? undefined : 'application/json');
  return [
    ...(type === undefined ? [] : [['Content-Type', type] as [string, string]]),
    ...(idempotencyKey === undefined
      ? []
      : [['Idempotency-Key', idempotencyKey] as [string, string]]),
  ];
}

function inCurl(request: SampleRequest): string {
  const { method, url, credential, body, image } = request;
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${shell(url)}`,
    ...(credential === null ? [] : [`-H "Authorization: Bearer $${credential}"`]),
    ...headersOf(request).map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${shell(JSON.stringify(body, null, 2))}`]),
    ...(image === undefined ? [] : [`--data-binary @${FILE}`]),
  ];
  return lines.join(' \\\n  ');
}

function shell(text: string): string {
  return /^[\w:/.,@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function inNode(request: SampleRequest): string {
  const { method, url, credential, body, image } = request;
  const headers = [
    ...(credential === null
      ? []
      : [`    Authorization: \`Bearer \${process.env.${credential}}\`,`]),
    ...headersOf(request).map(
      ([name, value]) => `    ${javaScript.pair(name, javaScript.text(value))},`,
    ),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literalOf(body, javaScript, 1)}),`]),
    ...(image === undefined ? [] : [`  body: await readFile(${javaScript.text(FILE)}),`]),
  ];
  const imports = image === undefined ? [] : ["import { readFile } from 'node:fs/promises';", ''];
  const call = [`const response = await fetch(${javaScript.text(url)}, {`, ...options, '});'];
  return [...imports, ...call, 'console.log(response.status, await response.json());'].join('\n');
}

function inPython(request: SampleRequest): string {
  const { method, url, credential, body, image } = request;
  const headers = [
    ...(credential === null
      ? []
      : [`        "Authorization": "Bearer " + os.environ["${credential}"],`]),
    ...headersOf(request).map(
      ([name, value]) => `        ${python.pair(name, python.text(value))},`,
    ),
  ];
  return [
    'import json',
    ...(credential === null ? [] : ['import os']),
    'import urllib.error',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${python.text(url)},`,
    `    method="${method}",`,
    ...(headers.length > 0 ? ['    headers={', ...headers, '    },'] : []),
    ...(body === undefined ? [] : [`    data=json.dumps(${literalOf(body, python, 1)}).encode(),`]),
    ...(image === undefined ? [] : [`    data=open(${python.text(FILE)}, "rb").read(),`]),
    ')',
    'try:',
    '    response = urllib.request.urlopen(request)',
    'except urllib.error.HTTPError as refusal:',
    '    response = refusal',
    'print(response.status, json.load(response))',
  ].join('\n');
}

function inPhp(request: SampleRequest): string {
  const { method, url, credential, body, image } = request;
  const headers = [
    ...(credential === null ? [] : [`        'Authorization: Bearer ' . getenv('${credential}'),`]),
    ...headersOf(request).map(([name, value]) => `        ${php.text(`${name}: ${value}`)},`),
  ];
  return [
    '<?php',
    `$curl = curl_init(${php.text(url)});`,
    'curl_setopt_array($curl, [',
    ...(method === 'GET' ? [] : [`    CURLOPT_CUSTOMREQUEST => '${method}',`]),
    ...(headers.length > 0 ? ['    CURLOPT_HTTPHEADER => [', ...headers, '    ],'] : []),
    ...(body === undefined
      ? []
      : [`    CURLOPT_POSTFIELDS => json_encode(${literalOf(body, php, 1)}),`]),
    ...(image === undefined
      ? []
      : [`    CURLOPT_POSTFIELDS => file_get_contents(${php.text(FILE)}),`]),
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    '$answer = curl_exec($curl);',
    "echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), ' ', $answer, PHP_EOL;",
  ].join('\n');
}
