import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readEnv } from '../../config/env.ts';
import { baseUrlSettings, settings } from '../../config/settings.ts';
import { SetupError } from '../../config/setup-error.ts';

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const hashAt = (cost: string) => `argon2id$${cost}$${'a'.repeat(22)}$${'a'.repeat(43)}`;
const hash = hashAt('64$1$1');
const least = { DATABASE_URL: 'postgres://localhost/payments', MASTER_KEY: `k1:${key(1)}` };

describe('The environment', () => {
  it('needs two settings; everything else has a default, and an empty one counts as not set', () => {
    const env = readEnv(least);
    expect(env).to.include({
      ...{ port: 4000, publicUrl: 'http://localhost:4000' },
      ...{ redisUrl: null, sandboxUrl: null, operator: null },
    });
    expect(env.chargeLifetimeMs).to.equal(24 * 3_600_000);
    expect([env.apiProcesses, env.providerProcesses]).to.deep.equal([1, 2]);
    expect(env.slots).to.deep.equal({
      provider_a: 'paystack',
      provider_b: 'flutterwave',
      provider_c: 'monnify',
    });
    const empty = { PORT: '', REDIS_URL: '', LOG_LEVEL: '', NOBODY_KNOWS: '1' };
    expect(readEnv({ ...least, ...empty })).to.deep.equal(env);
  });

  it('is read into what the service works with', () => {
    const env = readEnv({
      ...least,
      PUBLIC_URL: 'https://pay.example/',
      BASE_PATH: '/collect',
      PORT: '8080',
      MASTER_KEY: `k2:${key(2)},k1:${key(1)}`,
      WEBHOOK_ALLOWED_HOSTS: ' localhost, 127.0.0.1 ,',
      OPERATOR_PASSWORD: 'x',
      CHARGE_LIFETIME_HOURS: '0.5',
      PAYSTACK_BASE_URL: 'https://api.paystack.co/',
      SMTP_URL: 'smtps://user:p%40ss@mail.example',
      MAIL_FROM: 'Ada’s Payments <pay@example.com>',
    });
    expect(env.mail).to.deep.equal({
      url: 'smtps://user:p%40ss@mail.example',
      from: { name: 'Ada’s Payments', address: 'pay@example.com' },
    });
    expect(env).to.include({
      publicUrl: 'https://pay.example/collect',
      port: 8080,
      chargeLifetimeMs: 1_800_000,
    });
    expect(env.masterKeys.map(({ id, key: bytes }) => [id, bytes[0], bytes.length])).to.deep.equal([
      ['k2', 2, 32],
      ['k1', 1, 32],
    ]);
    expect(env.webhookAllowedHosts).to.deep.equal(['localhost', '127.0.0.1']);
    expect(env.operator).to.deep.equal({ user: 'operator', password: 'x' });
    const paystack = { test: 'https://api.paystack.co', live: 'https://api.paystack.co' };
    expect(env.baseUrls.paystack).to.deep.equal(paystack);
  });

  const noAddress = /^ is not right: it is no web address/;
  const unbearable =
    /^ is not right: line 2 has a hash that costs too much to check: npm run ops -- operator bisi /;
  const wrong: [name: string, value: string | undefined, about?: RegExp][] = [
    ['DATABASE_URL', undefined, /^ is not set\. It is a connection string of Postgre/],
    ['DATABASE_URL', 'mysql://localhost'],
    ['MASTER_KEY', undefined, /^ is not set\. It is <id>:<32 bytes/],
    ['MASTER_KEY', `k1:${Buffer.alloc(16).toString('base64')}`],
    ['MASTER_KEY', `k1:${key(1)},k1:${key(2)}`, /^ names two keys with one id/],
    ['OPERATORS', '# us\nada', /^ is not right: line 2 is not <name>:<hash>\.$/],
    ['OPERATORS', `ada:${hash}\nada:${hash}`, /^ is not right: line 2 names ada again\.$/],
    ['OPERATORS', `a b:${hash}`],
    ['OPERATORS', `ada:${hash}\nbisi:${hashAt('4194304$3$4')}`, unbearable],
    ['OPERATORS', `ada:${hash}\nbisi:${hashAt('65536$1000$4')}`, unbearable],
    ['OPERATORS', `ada:${hash}\nbisi:${hashAt('65536$3$1000')}`, unbearable],
    ['OPERATORS', `ada:${hash}\nbisi:${hashAt('8$3$4')}`, unbearable],
    ['SMTP_URL_FILE', '/nowhere', /^ is not right: ENOENT.*'\/nowhere'\.$/],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'redis+sentinel://s1,s2', /^ is not right: it names no master/],
    ['DATABASE_POOLER', 'transaction', /^ needs REDIS_URL: queues in PostgreSQL/],
    ['DATABASE_POOLER', 'session'],
    ['PUBLIC_URL', 'pay.example'],
    ['PUBLIC_URL', 'https://[pay', noAddress],
    ['PUBLIC_URL', 'http://pay.example', /^ is plain http on pay\.example/],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'http://user:secret@[bad',
      /^ is not right: it is no web address\.$/,
    ],
    ['SANDBOX_URL', 'http://[', noAddress],
    ['PAYSTACK_BASE_URL', 'http://api.paystack.co', /^ is plain http/],
    ['FLUTTERWAVE_BASE_URL', 'http://api.flutterwave.com/v3', /^ is plain http/],
    ['MONNIFY_TEST_BASE_URL', 'http://[', noAddress],
    ['MONNIFY_LIVE_BASE_URL', 'http://api.monnify.com', /^ is plain http/],
    ['SMTP_URL', 'http://mail.example'],
    ['SMTP_URL', 'smtp://mail.example', /^ and MAIL_FROM belong together: set both, or neither\.$/],
    ['MAIL_FROM', 'nobody'],
    ['LOG_LEVEL', 'loud'],
    ['CHARGE_LIFETIME_HOURS', '0'],
    ['API_PROCESSES', '0'],
    ['API_PROCESSES', '1.5'],
    ['PROVIDER_PROCESSES', '1', /^ is not right: it counts the API_PROCESSES and/],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['PROVIDER_A', 'stripe', /^ is not right: .* It is paystack, flutterwave, monnify\.$/],
    ['PROVIDER_B', 'stripe', /^ is not right: .* flutterwave, monnify, or empty for none\.$/],
  ];
  it('is refused in one sentence that names the setting', () => {
    for (const [name, value, about = /^ is not right/] of wrong) {
      const read = () => readEnv({ ...least, [name]: value });
      const sentence = new RegExp(`^${name}${about.source.slice('^'.length)}`);
      expect(read, `${name}=${value}`).to.throw(SetupError, sentence);
    }
  });

  it('takes secrets from files, and refuses one that is also set by itself', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'secrets-'));
    try {
      const files = Object.entries({ ...least, OPERATORS: `ada:${hash}` }).map(
        async ([name, value]) => {
          await writeFile(join(dir, name), `${value}\n`);
          return [`${name}_FILE`, join(dir, name)];
        },
      );
      const source = Object.fromEntries(await Promise.all(files));
      const env = readEnv({ ...source, MASTER_KEY: '' });
      expect([env.databaseUrl, env.masterKeys[0]!.id, env.operators?.get('ada')]).to.deep.equal([
        ...[least.DATABASE_URL, 'k1', hash],
      ]);
      expect(() => readEnv({ ...source, ...least })).to.throw(
        SetupError,
        'DATABASE_URL and DATABASE_URL_FILE are both set: set one of them.',
      );
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it('may be plain http on this machine, and on hosts the operator names', () => {
    const local = 'http://127.0.0.1:4000';
    expect(readEnv({ ...least, PUBLIC_URL: local }).publicUrl).to.equal(local);
    const named = { PUBLIC_URL: 'http://pay.internal', ALLOWED_HTTP_HOSTS: 'pay.internal' };
    expect(readEnv({ ...least, ...named }).publicUrl).to.equal('http://pay.internal');
    const url = 'http://localhost:4010/paystack';
    const { paystack } = readEnv({ ...least, PAYSTACK_BASE_URL: url }).baseUrls;
    expect(paystack).to.deep.equal({ test: url, live: url });
  });

  it('names the provider behind each slot, or none', () => {
    const slotsOf = (source: Record<string, string>) => readEnv({ ...least, ...source }).slots;
    const given = { PROVIDER_A: 'monnify', PROVIDER_B: 'paystack', PROVIDER_C: '' };
    const slots = { provider_a: 'monnify', provider_b: 'paystack', provider_c: null };
    expect(slotsOf(given)).to.deep.equal(slots);
    const empty = slotsOf({ PROVIDER_A: '', PROVIDER_B: '' });
    expect(empty).to.include({ provider_a: 'paystack', provider_b: null });
  });

  it('has the base address of each provider by mode', () => {
    expect(readEnv(least).baseUrls).to.deep.equal({
      paystack: { test: 'https://api.paystack.co', live: 'https://api.paystack.co' },
      flutterwave: {
        test: 'https://api.flutterwave.com/v3',
        live: 'https://api.flutterwave.com/v3',
      },
      monnify: { test: 'https://sandbox.monnify.com', live: 'https://api.monnify.com' },
    });
    const own = readEnv({
      ...least,
      MONNIFY_TEST_BASE_URL: 'https://a.example/',
      MONNIFY_LIVE_BASE_URL: 'https://b.example',
    });
    const monnify = { test: 'https://a.example', live: 'https://b.example' };
    expect(own.baseUrls.monnify).to.deep.equal(monnify);
  });
});

describe('.env.example', () => {
  it('names every setting with its default', async () => {
    const text = await readFile(new URL('../../.env.example', import.meta.url), 'utf8');
    for (const [name, setting] of Object.entries({ ...settings, ...baseUrlSettings })) {
      const value = 'default' in setting ? `#?${name}=${setting.default}` : `${name}=`;
      const exact = name === 'PUBLIC_URL' || name === 'REDIS_URL' ? `#?${name}=` : value;
      expect(text, name).to.match(new RegExp(`^${exact}`, 'm'));
    }
  });
});
