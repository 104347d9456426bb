import { expect } from 'chai';
import { problemOfWebhookUrl } from '../../../../domain/webhooks/endpoint/address.ts';

const words = (text: string) => text.trim().split(/\s+/);

describe('A webhook URL', () => {
  it('may be any public https address', () => {
    const good = [
      'https://merchant.example/hooks?a=b#c',
      'https://merchant.example:8443/',
      'https://8.8.8.8/',
      'https://[2606:4700::1111]/',
    ];
    for (const url of good) expect(problemOfWebhookUrl(url, []), url).to.equal(undefined);
  });

  it('is refused on a host that is not public, however it is spelled', () => {
    const hosts = words(`
    127.0.0.1 2130706433 0x7f000001 0X7F.1 0177.0.0.1 017700000001 127.1 127.0.1 127.0.0.1. 0 0x0 10.1 192.168.257 169.254.169.254 2852039166
    0xa9fea9fe [::1] [::] [::ffff:127.0.0.1] [::ffff:a9fe:a9fe] [0:0:0:0:0:ffff:10.0.0.1] [fd00:ec2::254] [fe80::1] [64:ff9b::a9fe:a9fe]
    [2002:a9fe:a9fe::] localhost LOCALHOST localhost. api.localhost １２７.0.0.1 127。0。0。1 %31%32%37.0.0.1`);
    for (const host of hosts)
      expect(problemOfWebhookUrl(`https://${host}/hooks`, []), host).to.equal(
        'must be reachable on the public internet',
      );
  });

  it('is refused in one sentence where it is no address for webhooks', () => {
    const noAddress = 'must be a web address of at most 2048 characters';
    const others: [url: string, problem: string][] = [
      ['http://merchant.example/', 'must begin with https://'],
      ['ftp://merchant.example/', 'must begin with https://'],
      ['file:///etc/passwd', 'must begin with https://'],
      ['https://user@merchant.example/', 'must not hold a user name or password'],
      ['https://:secret@merchant.example/', 'must not hold a user name or password'],
      ['merchant.example/hooks', noAddress],
      ['', noAddress],
      [`https://merchant.example/${'x'.repeat(2_048)}`, noAddress],
    ];
    for (const [url, problem] of others) expect(problemOfWebhookUrl(url, [])).to.equal(problem);
  });

  it('may be plain http or private on the hosts the operator allows, and only there', () => {
    const allowed = ['127.0.0.1', 'localhost'];
    for (const url of ['http://127.0.0.1:4000/x', 'https://localhost/x', 'http://2130706433/x']) {
      expect(problemOfWebhookUrl(url, allowed), url).to.equal(undefined);
    }
    const others = ['http://127.0.0.2/x', 'http://a.localhost/x', 'ftp://127.0.0.1/'];
    for (const url of [...others, 'http://u:p@127.0.0.1/', 'http://127.0.0.1.example/'])
      expect(problemOfWebhookUrl(url, allowed), url).not.to.equal(undefined);
  });
});
