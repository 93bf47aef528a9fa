package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/packfiles"
	"sanad/internal/thorough"
)

// outcome returns a verifier's result: the verdict, the status of each check, and what is not as signed.
func outcome(verdict string, checks []string) string {
	return verdict + " " + strings.Join(checks, " ")
}

func goOutcome(r *pack.Report) string {
	var checks []string
	for _, c := range r.Checks {
		checks = append(checks, string(c.Status))
	}
	return outcome(string(r.Verdict), append(checks, r.Faults...))
}

// harness runs many changes in one call: fixture has the files, each change is [place, byte, bit].
const harness = `
globalThis.run = async (places, changes, fingerprint) => {
  const files = { whole: true };
  for (const [place, data] of Object.entries(places)) files[place] = fromBase64(data);
  const out = [];
  for (const [place, at, bit] of changes) {
    const changed = { ...files, [place]: files[place].slice() };
    changed[place][at] ^= 1 << bit;
    const r = await verify(changed, { fingerprint });
    out.push([r.verdict, ...r.checks.map(c => c.status), ...r.faults ?? []].join(" "));
  }
  return out;
}; true`

// TestVerifyPageOneBit checks that the page, like Go, detects every change of one bit in any file, except in the
// checkpoint's own signature, and that both report the same status of each check. The bits are drawn.
func TestVerifyPageOneBit(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, &app{})
	h.openVerify(b)
	places := map[string]string{ // the page's names for the files
		"pack": "pack.json", "markdown": "pack.md", "pdf": "pack.pdf", "envelope": "pack.dsse.json",
		"bundle":   "pack.sigstore.json",
		"logProof": "pack.tlog-proof", "salts": "salts.json", "publicKey": "tenant.pub",
	}
	data, random := map[string][]byte{}, thorough.Random(t)
	var changes [][]any
	var want []string
	unseen := 0
	for place, name := range places {
		data[place] = h.files[name]
		for range thorough.Times(12, 60) {
			at, bit := random.IntN(len(h.files[name])), random.IntN(8)
			changes = append(changes, []any{place, at, bit})
			changed := slices.Clone(h.files[name])
			changed[at] ^= 1 << bit
			want = append(want, goOutcome(pack.Verify(h.asFiles(name, changed),
				pack.Trust{Fingerprint: h.fingerprint})))
			signature := name == "pack.tlog-proof" && at > bytes.LastIndexByte(changed, ' ')
			if !strings.HasPrefix(want[len(want)-1], "failed") {
				unseen++
				require.True(t, signature, "bit %d of byte %d of %s", bit, at, name)
			}
		}
	}
	require.Less(t, unseen, 30)
	eval[bool](b, harness)
	got, err := chromedp.Run(b.ctx,
		chromedp.Evaluate[[]string](fmt.Sprintf("run(%s, %s, %q)", asJSON(t, data), asJSON(t, changes), h.fingerprint),
			chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, want[i], got[i], "%v", changes[i])
	}
	t.Logf("%d changes, %d of them in the checkpoint's signature", len(want), unseen)
}

// asFiles returns the files with one of them changed.
func (h handed) asFiles(name string, data []byte) pack.Files {
	f := pack.Files{
		Pack: h.files["pack.json"], Markdown: h.files["pack.md"], PDF: h.files["pack.pdf"],
		Envelope: h.files["pack.dsse.json"],
		Bundle:   h.files["pack.sigstore.json"], LogProof: h.files["pack.tlog-proof"], Salts: h.files["salts.json"],
		PublicKey: h.files["tenant.pub"], Whole: true,
	}
	*map[string]*[]byte{
		"pack.json": &f.Pack, "pack.md": &f.Markdown, "pack.pdf": &f.PDF, "pack.dsse.json": &f.Envelope,
		"pack.sigstore.json": &f.Bundle, "pack.tlog-proof": &f.LogProof, "salts.json": &f.Salts,
		"tenant.pub": &f.PublicKey,
	}[name] = data
	return f
}

// TestVerifyPageOneBitOfTheZip checks that page and Go answer alike about each change of one bit in the zip, and refuse
// it unless it is one of the bits that a deflated stream has to spare in its last byte.
func TestVerifyPageOneBitOfTheZip(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, &app{})
	h.openVerify(b)
	random := rand.New(rand.NewPCG(7, 8))
	var changes [][]int
	var want []string
	accepted := 0
	for range 200 {
		at, bit := random.IntN(len(h.zip)), random.IntN(8)
		if len(changes) < 130 { // in the directory, where a zip can describe itself freely
			at = len(h.zip) - 1 - random.IntN(900)
		}
		changed := slices.Clone(h.zip)
		changed[at] ^= 1 << bit
		file, err := packfiles.Read(changed)
		changes = append(changes, []int{at, bit})
		if err != nil {
			want = append(want, "refused")
			continue
		}
		r := pack.Verify(file.Files, pack.Trust{Fingerprint: h.fingerprint})
		want = append(want, string(r.Verdict))
		if r.OK() {
			accepted++
		}
	}
	require.Less(t, accepted, 5)
	eval[bool](b, `globalThis.runZip = async (zip, changes, fingerprint) => {
	  const out = [], data = fromBase64(zip);
	  for (const [at, bit] of changes) {
	    data[at] ^= 1 << bit;
	    out.push(await takeApart([{ name: "pack.zip", data }]).then(f => verify(f, { fingerprint })).then(r => r.verdict, e => e instanceof Bad ? "refused" : "fault " + e));
	    data[at] ^= 1 << bit;
	  }
	  return out;
	}; true`)
	got, err := chromedp.Run(b.ctx,
		chromedp.Evaluate[[]string](fmt.Sprintf("runZip(%s, %s, %q)", asJSON(t, h.zip), asJSON(t, changes),
			h.fingerprint), chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, want[i], got[i], "%v", changes[i])
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}
