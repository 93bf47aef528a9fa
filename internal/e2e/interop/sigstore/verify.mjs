// Verifies Sigstore bundles with npm @sigstore/verify and the tenant's key: a JSON line {key, hint, bundle} in, an answer
// a line out: the payload that was signed, or why it is refused.
import { createPublicKey } from "node:crypto";
import { createInterface } from "node:readline";
import { bundleFromJSON } from "@sigstore/bundle";
import { Verifier, toSignedEntity, toTrustMaterial } from "@sigstore/verify";

const nobody = { mediaType: "", tlogs: [], ctlogs: [], certificateAuthorities: [], timestampAuthorities: [] };

const check = ({ key, hint, bundle }) => {
  const rawBytes = createPublicKey(key).export({ format: "der", type: "spki" });
  const trust = toTrustMaterial(nobody, { [hint]: { rawBytes, keyDetails: 7 } });
  const read = bundleFromJSON(JSON.parse(bundle));
  new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0, tsaThreshold: 0 }).verify(toSignedEntity(read));
  return read.content.dsseEnvelope.payload.toString("base64");
};

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = "ok " + check(JSON.parse(line));
  } catch (e) {
    answer = "refused: " + String(e.message).replaceAll("\n", " ");
  }
  process.stdout.write(answer + "\n");
}
