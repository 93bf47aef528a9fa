// An OpenID Connect provider on loopback for the interop tests (npm oidc-provider, certified). The first line of standard
// input says what it serves: {"clients": […], "issuer": "…" or left out}. It prints its address as one line and ends when
// standard input does, so that none is left behind.
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import Provider from 'oidc-provider';

const lines = createInterface({ input: process.stdin });
lines.once('close', () => process.exit(0));
const config = JSON.parse(await new Promise((resolve) => lines.once('line', resolve)));

// Any login name is an account. One that begins with "unverified" has an email that nobody verified.
function account(sub) {
  const claims = {
    sub,
    name: `Name of ${sub}`,
    preferred_username: sub,
    email: `${sub}@example.com`,
    email_verified: !sub.startsWith('unverified'),
  };
  return { accountId: sub, claims: () => claims };
}

// Every instance has its own key under the same name, so that a test can offer the key of another.
function signingKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' };
}

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const address = `http://127.0.0.1:${server.address().port}`;
  const minutes = (n) => n * 60;
  const provider = new Provider(config.issuer ?? address, {
    clients: config.clients,
    jwks: { keys: [signingKey()] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    findAccount: (ctx, sub) => account(sub),
    features: { devInteractions: { enabled: true } }, // its own plain forms for login and consent
    pkce: { required: () => true },
    ttl: { AccessToken: minutes(60), AuthorizationCode: minutes(10), Grant: minutes(60), IdToken: minutes(60), Interaction: minutes(60), Session: minutes(60) },
  });
  server.on('request', provider.callback());
  process.stdout.write(`${address}\n`);
});
