import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { readEnv } from '../../../config/env.ts';
import { baseUrlSettings, settings } from '../../../config/settings.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');
const known = Object.keys({ ...settings, ...baseUrlSettings });

const filledIn: Record<string, string> = {
  POSTGRES_PASSWORD: 'c0ffee',
  OWNER_PASSWORD: 'c0ffee',
  SERVICE_PASSWORD: 'c0ffee',
  SUPPORT_PASSWORD: 'c0ffee',
  MASTER_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  OPERATOR_PASSWORD: 'open',
  OPERATORS: '# nobody else',
  SMTP_URL: 'smtp://user:secret@mail.example:587',
  MAIL_FROM: 'Payments <payments@example.com>',
  GRAFANA_PASSWORD: 'open',
  PUBLIC_URL: 'https://pay.example.com',
  PROXY_PORT: '8080',
};

describe('compose.yaml', () => {
  let services: Record<string, any>;
  let text: string;
  before(async () => {
    text = await read('compose.yaml');
    ({ services } = parse(text, { merge: true }));
  });
  const ours = () => Object.entries(services).filter(([, { build }]) => build === '.');

  it('starts our processes with settings that exist and suffice', () => {
    const names = ['api-1', 'api-2', 'workers', 'migrate', 'restore-check'];
    expect(ours().map(([name]) => name)).to.deep.equal(names);
    for (const [name, { environment }] of ours()) {
      expect(known, name).to.include.members(Object.keys(environment));
      const filled = Object.entries(environment).map(([key, value]) => [key, fill(String(value))]);
      expect(() => readEnv(Object.fromEntries(filled)), name).not.to.throw();
    }
  });

  it('tells how many processes call providers', () => {
    const callers = ours().filter(([name]) => !['migrate', 'restore-check'].includes(name));
    const started = callers.map(([, { deploy }]) => deploy?.replicas ?? 1);
    const [[, { environment }]] = callers as [[string, any]];
    expect(environment.PROVIDER_PROCESSES).to.equal(started.reduce((sum, count) => sum + count, 0));
  });

  it('asks for exactly what its example of an env file lists', async () => {
    const wanted = [...text.matchAll(/\$\{([A-Z_]+)|environment: ([A-Z_]+) \}/g)];
    const listed = (await read('config/deploy/compose.env.example')).match(/^[A-Z_]+(?==)/gm);
    const names = wanted.map(([, inText, asSecret]) => inText ?? asSecret);
    expect([...new Set(names)].sort()).to.deep.equal([...listed!].sort());
  });

  it('runs commands that exist, as a user who can change nothing', async () => {
    for (const [name, service] of ours()) {
      expect(service, name).to.include({ read_only: true });
      expect(service.cap_drop, name).to.deep.equal(['ALL']);
      await read(service.command[1]);
    }
  });

  it('has words in its commands and probes, where a colon makes a pair of what is not quoted', () => {
    for (const [name, { command = [], entrypoint = [], healthcheck }] of Object.entries(services)) {
      const words: unknown[] = [...command, ...entrypoint, ...(healthcheck?.test ?? [])];
      for (const word of words) expect(word, name).to.be.a('string');
    }
  });

  it('migrates as the owner of the tables, and does everything else as a role that owns none', () => {
    for (const [name, { environment }] of ours()) {
      const { username } = new URL(fill(environment.DATABASE_URL));
      expect(username, name).to.equal(name === 'migrate' ? 'payments_owner' : 'payments_service');
    }
  });

  it('pins every image, mounts files that exist, and shows the world nothing but the proxy', async () => {
    const forPeople = ['prometheus', 'alertmanager', 'grafana'];
    for (const [name, { image, ports = [], volumes = [] }] of Object.entries(services)) {
      expect(image, name).to.match(/:v?\d+\.\d+(\.\d+)?(-[a-z]+)?$/);
      const places = ports.map((port: string) => (port.startsWith('127.0.0.1:') ? 'here' : 'all'));
      const expected = forPeople.includes(name) ? ['here'] : name === 'proxy' ? ['all'] : [];
      expect(places, name).to.deep.equal(expected);
      for (const volume of volumes as string[]) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('./config/deploy')) await read(source.slice(2));
      }
    }
  });

  it('keeps backups on a volume of their own, by a schedule, and no endless log of a process', async () => {
    const { postgres, backup } = services;
    const placeOf = (path: string) =>
      postgres.volumes
        .map((volume: string) => volume.split(/:(?=\/)/))
        .find(([, target]: string[]) => target === path)[0];
    expect(placeOf('/var/lib/pgbackrest')).not.to.equal(placeOf('/var/lib/postgresql'));
    expect(backup.volumes).to.include(`${placeOf('/var/lib/pgbackrest')}:/var/lib/pgbackrest`);
    expect(backup.entrypoint).to.deep.equal(['back-up']);
    expect(services.restored.volumes, 'a check changes no backup').to.include(
      `${placeOf('/var/lib/pgbackrest')}:/var/lib/pgbackrest:ro`,
    );
    const kept = await read('config/deploy/postgres/pgbackrest.conf');
    expect(kept, 'older ones are deleted').to.match(
      /^repo1-retention-full-type=time\nrepo1-retention-full=14$/m,
    );
    expect(kept, 'a log that cannot be kept fills no disk').to.match(
      /^archive-push-queue-max=8GiB$/m,
    );
    for (const [name, { logging }] of Object.entries(services))
      expect(logging, name).to.deep.equal({ driver: 'local' });
  });

  it('sends alerts to Alertmanager, and Alertmanager reads the secrets that it is given', async () => {
    const prometheus = parse(await read('config/deploy/prometheus.yml'));
    const [{ static_configs }] = prometheus.alerting.alertmanagers;
    expect(static_configs).to.deep.equal([{ targets: ['alertmanager:9093'] }]);
    expect(services.alertmanager.secrets).to.have.members(await alertSecrets());
  });
});

describe('The Kubernetes manifests', () => {
  const folder = 'config/deploy/kubernetes/';
  let objects: any[];
  before(async () => {
    const { resources } = parse(await read(`${folder}kustomization.yaml`));
    const files = await readdir(new URL(folder, root));
    expect([...resources, 'kustomization.yaml'].sort()).to.deep.equal(files.sort());
    const texts = await Promise.all(resources.map((file: string) => read(folder + file)));
    objects = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()));
  });
  const one = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === name);
  const pods = () => objects.filter(({ spec }) => spec?.template).map(({ spec }) => spec.template);

  it('give settings that exist and, with the Secret they describe, suffice', async () => {
    const { data } = one('ConfigMap', 'payment-collection-settings');
    expect(known).to.include.members(Object.keys(data));
    const described = (await read(`${folder}settings.yaml`)).matchAll(/--from-literal=([A-Z_]+)/g);
    const secrets = [...described].map(([, name]) => name!);
    expect(known).to.include.members(secrets);
    const values: Record<string, string> = {
      ...filledIn,
      DATABASE_URL: 'postgres://db/payments',
      REDIS_URL: 'redis://redis:6379',
    };
    const given = secrets.map((name) => [name, values[name]!]);
    expect(() => readEnv({ ...data, ...Object.fromEntries(given) })).not.to.throw();
  });

  it('tell how many APIs there are, and how many processes may call providers', () => {
    const { data } = one('ConfigMap', 'payment-collection-settings');
    const { replicas } = one('Deployment', 'api').spec;
    const { maxReplicas } = one('HorizontalPodAutoscaler', 'workers').spec;
    expect([data.API_PROCESSES, data.PROVIDER_PROCESSES].map(Number)).to.deep.equal([
      replicas,
      replicas + maxReplicas,
    ]);
  });

  it('run commands that exist, as the user of the image, on a read-only file system', async () => {
    expect(pods()).to.have.length(3);
    const [, user, group] = /^USER (\d+):(\d+)$/m.exec(await read('Dockerfile'))!;
    for (const { spec } of pods()) {
      expect(spec.securityContext).to.include({
        ...{ runAsNonRoot: true, runAsUser: Number(user), runAsGroup: Number(group) },
      });
      const containers = [...spec.containers, ...(spec.initContainers ?? [])];
      for (const { command, envFrom, securityContext } of containers) {
        await read(command[1]);
        expect(securityContext.readOnlyRootFilesystem).to.equal(true);
        const sources = envFrom.map((from: any) => (from.configMapRef ?? from.secretRef).name);
        expect(sources).to.deep.equal([
          'payment-collection-settings',
          'payment-collection-secrets',
        ]);
      }
    }
  });

  it('start APIs and workers after the migration, and spread them', () => {
    for (const name of ['api', 'workers']) {
      const { selector, template } = one('Deployment', name).spec;
      const [{ command }] = template.spec.initContainers;
      expect(command).to.deep.equal(['node', 'scripts/migrate.ts', '--wait']);
      const [{ labelSelector }] = template.spec.topologySpreadConstraints;
      expect([selector, labelSelector]).to.deep.equal(
        Array(2).fill({ matchLabels: template.metadata.labels }),
      );
    }
  });

  it('give probes more time than /readyz takes to say that the database is away', () => {
    for (const name of ['api', 'workers']) {
      const [container] = one('Deployment', name).spec.template.spec.containers;
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        expect(container[probe].timeoutSeconds, probe).to.be.greaterThan(2);
    }
  });

  it('open every address of the service but those for operators and probes', async () => {
    const mounted = (await read('api/app.ts')).matchAll(
      /\b(?:app|router)\.(?:use|get)\(\s*'([^']+)'/g,
    );
    const { paths } = one('Ingress', 'api').spec.rules[0].http;
    const isOpen = (address: string) =>
      paths.some(({ path, pathType }: any) =>
        pathType === 'Exact' ? path === address : `${address}/`.startsWith(`${path}/`),
      );
    const addresses = [...mounted].map(([, address]) => address!);
    expect(addresses).to.have.length.above(10);
    expect(addresses.filter((address) => !isOpen(address))).to.deep.equal(['/ops/queues']);
    const inside = ['/metrics', '/healthz', '/readyz', '/ops'];
    expect(inside.filter(isOpen)).to.deep.equal([]);
    const { spec } = one('Service', paths[0].backend.service.name);
    expect(new Set(paths.map(({ backend }: any) => JSON.stringify(backend)))).to.have.length(1);
    expect(spec.selector).to.deep.equal(one('Deployment', 'api').spec.selector.matchLabels);
    expect(spec.ports[0].name).to.equal(paths[0].backend.service.port.name);
  });

  it('let in only what serves or watches, at ports that are listened on', () => {
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
    for (const { metadata, spec } of pods()) {
      const { app } = metadata.labels;
      const [policy, ...others] = policies.filter(
        (one) => one.spec.podSelector.matchLabels?.app === app,
      );
      expect([policy.spec.policyTypes, others], app).to.deep.equal([['Ingress'], []]);
      const opened = (policy.spec.ingress ?? []).flatMap(({ ports }: any) => ports);
      const listened = (spec.containers[0].ports ?? []).map((port: any) => port.containerPort);
      expect(
        opened.map(({ port }: any) => port),
        app,
      ).to.deep.equal(listened);
    }
    const out = policies.find(({ spec }) => spec.policyTypes.includes('Egress'));
    const [{ values }] = out.spec.podSelector.matchExpressions;
    expect(values).to.have.members(pods().map(({ metadata }) => metadata.labels.app));
  });

  it('migrate as the owner of the tables, and nothing else', () => {
    for (const { metadata, spec } of pods()) {
      const [{ env = [] }] = spec.containers;
      const secrets = env.map(({ valueFrom }: any) => valueFrom.secretKeyRef.name);
      const isMigration = metadata.labels.app === 'payment-collection-migrate';
      expect(secrets).to.deep.equal(isMigration ? ['payment-collection-owner'] : []);
    }
  });

  it('keep an API and a worker while nodes are drained, and probe them', () => {
    const [{ ports }] = one('Deployment', 'workers').spec.template.spec.containers;
    const { data } = one('ConfigMap', 'payment-collection-settings');
    expect(ports[0].containerPort).to.equal(Number(data.WORKERS_PORT));
    for (const name of ['api', 'workers']) {
      const [container] = one('Deployment', name).spec.template.spec.containers;
      expect(container.livenessProbe.httpGet.path).to.equal('/healthz');
      expect(container.readinessProbe.httpGet.path).to.equal('/readyz');
      const budget = one('PodDisruptionBudget', name).spec;
      expect(budget.minAvailable).to.equal(1);
      expect(budget.selector).to.deep.equal(one('Deployment', name).spec.selector);
    }
  });

  it('scale workers by a metric that the service reports', async () => {
    const [{ external }] = one('HorizontalPodAutoscaler', 'workers').spec.metrics;
    expect(await read('api/operations/metrics.ts')).to.include(`'${external.metric.name}'`);
  });

  it('leave a process time to stop before it is killed', () => {
    const { data } = one('ConfigMap', 'payment-collection-settings');
    for (const { spec } of pods())
      expect(spec.terminationGracePeriodSeconds ?? 30).to.be.greaterThan(
        Number(data.DRAIN_SECONDS) + 10,
      );
  });
});

describe('The Alertmanager of Kubernetes', () => {
  it('is the one of compose.yaml, with its configuration, secrets and port', async () => {
    const folder = 'config/deploy/alertmanager/';
    const kustomization = parse(await read(`${folder}kustomization.yaml`));
    expect(kustomization.configMapGenerator).to.deep.equal([
      { name: 'alertmanager', files: ['alertmanager.yml'] },
    ]);
    const [file] = kustomization.resources;
    const [set, service] = parseAllDocuments(await read(folder + file)).map((one) => one.toJS());
    const { containers, volumes } = set.spec.template.spec;
    const compose = parse(await read('compose.yaml'));
    expect(containers[0].image).to.equal(compose.services.alertmanager.image);
    expect(containers[0].args).to.include('--config.file=/etc/alertmanager/alertmanager.yml');
    const places = containers[0].volumeMounts.map((mount: any) => [mount.name, mount.mountPath]);
    expect(Object.fromEntries(places)).to.include({
      config: '/etc/alertmanager',
      secrets: '/run/secrets',
    });
    expect(volumes[0].configMap.name).to.equal(kustomization.configMapGenerator[0].name);
    const described = (await read(`${folder}kustomization.yaml`)).matchAll(/--from-literal=(\w+)/g);
    expect([...described].map(([, name]) => name)).to.have.members(await alertSecrets());
    expect(`${service.metadata.name}:${service.spec.ports[0].port}`).to.equal('alertmanager:9093');
  });
});

describe('The Dockerfile', () => {
  it('copies what is there, runs as an unprivileged user, and starts Node itself', async () => {
    const text = await read('Dockerfile');
    for (const [, sources] of text.matchAll(/^COPY (?!--from)(.*) \S+$/gm)) {
      for (const source of sources!.split(' '))
        expect(await readdir(fileURLToPath(root)), source).to.include(source);
    }
    expect(text)
      .to.match(/^USER [1-9]\d+:[1-9]\d+$/m)
      .and.match(/^CMD \["node", "api\/main\.ts"\]$/m);
    const { devDependencies, dependencies } = JSON.parse(await read('package.json'));
    expect(text).to.match(/^ARG NODE_IMAGE=node:[\w.-]+@sha256:[0-9a-f]{64}$/m);
    const ofPostgres = await read('config/deploy/postgres/Dockerfile');
    expect(ofPostgres).to.match(/^FROM postgres:[\w.-]+@sha256:[0-9a-f]{64}$/m);
    expect(text).to.include(`node:${dependencies.node}-`);
    expect(devDependencies).not.to.have.property('node');
  });
});

function fill(text: string): string {
  return text.replace(/\$\{([A-Z_]+)[^}]*\}/g, (_whole, name) => filledIn[name]!);
}

async function alertSecrets(): Promise<string[]> {
  const config = await read('config/deploy/alertmanager/alertmanager.yml');
  return [...config.matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name!);
}
