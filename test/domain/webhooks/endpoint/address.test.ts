import { expect } from 'chai';
import {
  isPublicAddress,
  problemOfWebhookUrl,
} from '../../../../domain/webhooks/endpoint/address.ts';

const notPublic = `
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 127.0.0.1 127.255.255.254 168.63.129.16 169.254.169.254 169.254.0.1
172.16.0.1 172.31.255.255 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1
239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe ::ffff:10.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1
2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 2002:7f00:1:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 febf::1
fec0::1 ff02::1
`;
const isPublic =
  '1.1.1.1 8.8.8.8 41.58.0.1 100.63.255.255 172.15.0.1 172.32.0.1 192.167.0.1 223.255.255.255 2606:4700::1111 2a00:1450:4001::1 2c0f:f248::1';
const words = (text: string) => text.trim().split(/\s+/);

describe('An address on the public internet', () => {
  it('is one that everybody reaches, in either family', () => {
    for (const address of words(isPublic)) expect(isPublicAddress(address), address).to.equal(true);
    const names = ['localhost', 'merchant.example', '', '2130706433', '1.1.1'];
    for (const address of [...words(notPublic), ...names])
      expect(isPublicAddress(address), address).to.equal(false);
  });
});

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
