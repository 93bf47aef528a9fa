package e2e

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/exporters/packs"
)

// Proofs of one leaf, redacted copies and JSON exports, each with one bit changed a hundred times: page and Go give the
// same result.
func TestVerifyPageParts(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, &app{})
	h.openVerify(b)
	parts := h.parts(t)
	parts["redacted"], parts["erased"] = h.redacted, h.erased
	for name, data := range parts {
		h.write(name+".json", data)
		all := "Verified"
		if name == "export" {
			all = partly
		}
		require.Equal(t, all, h.check(b, h.fingerprint, name+".json", "tenant.pub"), "%s: %s", name,
			b.text("#result"))
		require.Equal(t, "Consistent, signer not established", h.check(b, "", name+".json", "tenant.pub"))
		alone := "Incomplete: something needed is missing"
		if name == "proof" || name == "call" {
			alone = "Verified" // it holds its key
		}
		require.Equal(t, alone, h.check(b, h.fingerprint, name+".json"), name)
	}
	b.calm()
	eval[bool](b, `globalThis.runParts = async (data, key, changes, fingerprint) => {
	  const out = [], part = fromBase64(data);
	  for (const [at, bit] of changes) {
	    part[at] ^= 1 << bit;
	    const r = await verifyPart({ part, publicKey: fromBase64(key) }, { fingerprint });
	    out.push([r.verdict, ...r.checks.map(c => c.status), ...r.faults ?? []].join(" "));
	    part[at] ^= 1 << bit;
	  }
	  return out;
	}; true`)
	key, err := pack.ParsePublic(h.files["tenant.pub"])
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(17, 18))
	for name, verify := range map[string]func([]byte, pack.Trust) *pack.Report{"proof": pack.VerifyProof,
		"call": pack.VerifyProof, "redacted": pack.VerifyRedacted, "erased": pack.VerifyErased} {
		var changes [][]int
		var want []string
		for range 100 {
			at, bit := random.IntN(len(parts[name])), random.IntN(8)
			changed := slices.Clone(parts[name])
			changed[at] ^= 1 << bit
			want, changes = append(want,
				goOutcome(verify(changed, pack.Trust{Key: key, Fingerprint: h.fingerprint}))), append(changes,
				[]int{at, bit})
			outcome := want[len(want)-1]
			if (name == "erased" || name == "redacted") && strings.HasPrefix(outcome, "incomplete") {
				continue // the record or the reasons name another key than the statement, and are not checked
			}
			require.True(t, strings.HasPrefix(outcome, "failed"), "%s: bit %d of byte %d: %s", name, bit, at, outcome)
		}
		got, err := chromedp.Run(b.ctx,
			chromedp.Evaluate[[]string](fmt.Sprintf("runParts(%s, %s, %s, %q)", asJSON(t, parts[name]),
				asJSON(t, h.files["tenant.pub"]), asJSON(t, changes), h.fingerprint), chromedp.EvalAwaitPromise))
		require.NoError(t, err)
		for i := range want {
			require.Equal(t, want[i], got[i], "%s: %v", name, changes[i])
		}
	}
}

// parts returns the parts of a pack that the store exports, made from its files.
func (h handed) parts(t *testing.T) map[string][]byte {
	t.Helper()
	c, err := pack.Parse(h.files["pack.json"])
	require.NoError(t, err)
	salts, err := pack.ParseSalts(h.files["salts.json"])
	require.NoError(t, err)
	envelope, err := pack.ParseEnvelope(h.files["pack.dsse.json"])
	require.NoError(t, err)
	f := &pack.Frozen{Content: *c, Bytes: h.files["pack.json"], Digest: pack.Digest(h.files["pack.json"]),
		Salts: *salts}
	require.NotEmpty(t, c.Ledger.Entries)
	out := map[string][]byte{}
	for name, leaf := range map[string][2]string{"proof": {pack.LeafClaim, c.Ledger.Entries[0].ClaimID},
		"call": {pack.LeafCall, "T1"}} {
		p, err := pack.Prove(f, envelope, h.files["tenant.pub"], leaf[0], leaf[1])
		require.NoError(t, err)
		out[name], err = p.Bytes()
		require.NoError(t, err)
	}
	var export bytes.Buffer
	require.NoError(t, packs.JSON(&export, h.files["pack.json"], h.files["pack.dsse.json"]))
	out["export"] = export.Bytes()
	return out
}

// Over a zip with one changed file the headline names that file, in page and program, nothing is said to be approved
// but pack.json, and nothing that the files say stands there as proven.
func TestVerifyPageNamesTheChangedFile(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, &app{})
	h.openVerify(b)
	require.Equal(t, "Verified", h.check(b, h.fingerprint, "pack.zip"))
	seen := func() string { return eval[string](b, `document.body.innerText`) }
	require.Contains(t, seen(), "This shows what was signed")
	require.NotContains(t, seen(), "not proven")
	for name, at := range map[string]int{"pack.json": -20, "pack.md": -20, "pack.pdf": -20, "pack.dsse.json": -20,
		"pack.sigstore.json": -20, "pack.tlog-proof": 30, "salts.json": -20, "tenant.pub": 70} {
		changed := slices.Clone(h.files[name])
		if at < 0 {
			at += len(changed)
		}
		changed[at] ^= 1
		r := pack.Verify(h.asFiles(name, changed), pack.Trust{Fingerprint: h.fingerprint})
		require.Equal(t, "failed, not as signed: "+name+" was changed", r.Words())
		h.write("changed.zip", zipOfFiles(t, h.asFiles(name, changed)))
		require.Equal(t, "Not as signed: "+name+" was changed", h.check(b, h.fingerprint, "changed.zip"))
		require.NotContains(t, b.text("#result"), "these bytes")
		require.Contains(t, b.text("#checks"), "exactly this pack.json", name)
		require.NotContains(t, seen(), "This shows what was signed", name)
		require.Contains(t, seen(), "; not proven")
		eval[bool](b, `(language = "ar", draw(), true)`)
		require.Equal(t, "ليست كما وُقِّعت: تغيّر الملف "+name, b.text("#verdict"))
		require.Contains(t, seen(), "غير مثبت")
		require.NotContains(t, seen(), "يثبت هذا ما وُقِّع")
		eval[bool](b, `(language = "en", draw(), true)`)
	}
	h.write("changed.zip", zipOfFiles(t, h.asFiles("pack.dsse.json", []byte("{}"))))
	require.Equal(t, "Not as signed: pack.dsse.json was changed", h.check(b, h.fingerprint, "changed.zip"))
	require.Contains(t, b.text("#checks"), "the statement cannot be read")
	require.NotContains(t, b.text("#checks"), "missing: ")
	both := h.asFiles("pack.md", []byte("# Changed"))
	both.PDF = append(slices.Clone(both.PDF), 0)
	h.write("changed.zip", zipOfFiles(t, both))
	require.Equal(t, "Not as signed: pack.md, pack.pdf were changed", h.check(b, h.fingerprint, "changed.zip"))
	require.Equal(t, "failed, not as signed: pack.md, pack.pdf were changed",
		pack.Verify(both, pack.Trust{Fingerprint: h.fingerprint}).Words())
	b.calm()
}

// A zip that another program packed again is called that, with the technical words folded; one that is cut off is not.
func TestVerifyPageNamesARepackedZip(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, &app{})
	h.openVerify(b)
	require.Contains(t, eval[string](b, `document.body.innerText`), "covered by no signature")
	h.write("again.zip", rezipped(t, h.files, []string{"pack.json", "pack.md", "pack.dsse.json", "tenant.pub"}, nil))
	require.Equal(t, "Not checked: this zip was packed again", h.check(b, h.fingerprint, "again.zip"))
	require.Equal(t, "This zip was packed again by another program; unpack it and choose its files.", b.text("#meaning"))
	require.NotContains(t, eval[string](b, `document.body.innerText`), "does not end as")
	b.click("#details summary")
	require.Contains(t, eval[string](b, `document.body.innerText`), "The zip does not end as a pack's zip does (")
	b.accessible("repacked")
	eval[bool](b, `(language = "ar", draw(), true)`)
	require.Equal(t, "أُعيد ضغط هذا الملف ببرنامج آخر؛ فُكّ ضغطه واختر ملفاته.", b.text("#meaning"))
	require.Contains(t, eval[string](b, `document.body.innerText`), "لا يشملهما أي توقيع")
	eval[bool](b, `(language = "en", draw(), true)`)
	h.write("cut.zip", h.zip[:len(h.zip)-30])
	require.Equal(t, "Failed: the file cannot be read as a pack", h.check(b, h.fingerprint, "cut.zip"))
	require.True(t, eval[bool](b, `document.querySelector("#details").hidden`))
	b.calm()
}

// Without a script the page offers nothing that does nothing, and has the steps with OpenSSL in both languages.
func TestVerifyPageWithoutScripts(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, &app{})
	b.withoutScripts()
	b.do(chromedp.Navigate("file://" + filepath.Join(h.dir, "verify.html")))
	for _, width := range []int64{1280, 360} {
		b.width(width)
		seen := eval[string](b, `document.body.innerText`)
		for _, words := range []string{"openssl pkeyutl -verify", "docs/verifying.md", "ومتصفحك لا يشغّله", "sanad verify"} {
			require.Contains(t, seen, words)
		}
		require.Zero(t, eval[int](b, `[...document.querySelectorAll("button, input, form, table, label, footer p")]
		  .filter(e => e.checkVisibility()).length`))
		require.LessOrEqual(t, eval[int](b, `document.documentElement.scrollWidth`), int(width))
	}
	guide, err := os.ReadFile(filepath.Join("..", "words", "messages", "verify_guide.en.md"))
	require.NoError(t, err)
	for line := range strings.Lines(eval[string](b, `document.querySelector("pre").textContent`)) {
		require.Contains(t, string(guide), "    "+strings.TrimSpace(line)+"\n", "the steps are those of VERIFY.md")
	}
}
