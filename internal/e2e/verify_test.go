package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters"
	"sanad/internal/handlers"
	"sanad/internal/importers"
	"sanad/static"
)

// handed is what a stranger was handed: a pack's download, and the fingerprint by another way.
type handed struct {
	t           *testing.T
	dir         string
	files       map[string][]byte
	zip         []byte
	fingerprint string
}

func handOut(t *testing.T, o *bureau) handed {
	t.Helper()
	h, ctx, id := handed{t: t, dir: t.TempDir()}, context.Background(), o.packs["dec_supplier_payment"]
	v, err := o.store.Pack(ctx, o.tenant.ID, id)
	require.NoError(t, err)
	for _, who := range []string{"sara", "nasser"} { // a pack with a ledger, contradicted calls, and two approvers
		given := db.Approval{PackID: id, Revision: v.Life.Revision, Digest: v.Life.Digest, Comment: "Read."}
		v, err = o.store.ApprovePack(ctx, o.people[who], given, db.Answering{}, handlers.RenderPack(o.tenant.Name))
		require.NoError(t, err)
	}
	h.files, err = o.store.PackFiles(ctx, o.tenant.ID, id)
	require.NoError(t, err)
	h.files[exporters.PackVerifyPage] = static.VerifyPage
	var z bytes.Buffer
	require.NoError(t, exporters.PackZip(&z, h.files))
	h.zip = z.Bytes()
	key, err := pack.ParsePublic(h.files["tenant.pub"])
	require.NoError(t, err)
	h.fingerprint = pack.Fingerprint(key)
	h.write("pack.zip", h.zip)
	for name, data := range h.files {
		h.write(name, data)
	}
	return h
}

func (h handed) write(name string, data []byte) string {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	require.NoError(h.t, os.WriteFile(path, data, 0o600))
	return path
}

// openVerify opens verify.html as a stranger does: from the folder that the zip was unpacked in.
func (h handed) openVerify(b *tab) {
	h.t.Helper()
	b.do(chromedp.Navigate("file://" + filepath.Join(h.dir, "verify.html")))
	b.until(`typeof ready == "object"`)
	eval[bool](b, `language == "en" || (language = "en", draw(), true)`)
}

// check chooses files, types a fingerprint, presses Verify, and gives what the page then says.
func (h handed) check(b *tab, fingerprint string, names ...string) string {
	h.t.Helper()
	paths := make([]string, len(names))
	for i, name := range names {
		paths[i] = filepath.Join(h.dir, name)
	}
	b.do(chromedp.SetUploadFiles(chromedp.ID("files"), paths))
	eval[string](b, fmt.Sprintf(`document.getElementById("fingerprint").value = %q`, fingerprint))
	b.click("#check")
	b.until(`!document.getElementById("result").hidden`)
	return b.text("#verdict")
}

func TestVerifyPage(t *testing.T) {
	o := startBureau(t)
	h := handOut(t, o)
	b := open(t, o.app)
	seen := watch(t, b)
	h.openVerify(b)
	require.Equal(t, "Verified", h.check(b, h.fingerprint, "pack.zip"))
	require.Equal(t, len(pack.Checks), eval[int](b, `document.querySelectorAll(".mark.ok").length`), b.text("#checks"))
	require.Contains(t, b.text("#facts"), pack.Digest(h.files["pack.json"]))
	require.True(t, eval[bool](b, `document.getElementById("unsigned").hidden && document.activeElement.id == "result"`))
	require.Equal(t, "Consistent, signer not established", h.check(b, "", "pack.zip"))
	other := "SHA256:" + strings.Repeat("A", 43)
	require.Equal(t, "Failed", h.check(b, other, "pack.zip"))
	require.Contains(t, b.text("#checks"), "another key than the trusted one")

	require.Equal(t, "Verified", h.check(b, h.fingerprint, "pack.json", "pack.dsse.json", "tenant.pub"))
	require.Equal(t, "Incomplete: something needed is missing", h.check(b, h.fingerprint, "pack.json"))
	require.Equal(t, "Verified", h.check(b, h.fingerprint, "pack.json", "pack.md", "pack.pdf", "pack.dsse.json", "pack.sigstore.json", "pack.tlog-proof",
		"salts.json", "tenant.pub", "verify.html"))
	h.write("pack (1).json", h.files["salts.json"])
	require.Equal(t, "Failed", h.check(b, h.fingerprint, "pack.json", "salts.json", "pack (1).json"), "two files for one place")
	require.Equal(t, "Failed", h.check(b, h.fingerprint, "pack.zip", "pack.json"))

	eval[string](b, `document.getElementById("fingerprint").value = "SHA256:short"`)
	b.click("#check")
	b.until(`document.activeElement.id == "fingerprint"`)
	require.Contains(t, b.text("#fingerprint-error"), "43")
	b.calm()
	seen.mu.Lock()
	defer seen.mu.Unlock()
	require.NotEmpty(t, seen.urls)
	for _, url := range seen.urls {
		require.True(t, strings.HasPrefix(url, "file://") && strings.HasSuffix(url, "/verify.html"), "%s was asked for", url)
	}
}

// The page is served too, and works under a policy that lets it connect to nothing.
func TestVerifyPageServed(t *testing.T) {
	o := startBureau(t)
	h := handOut(t, o)
	b := open(t, o.app)
	b.setCookie("")
	b.visit("/verify.html")
	require.Equal(t, "Verified", h.check(b, h.fingerprint, "pack.zip"))
	b.calm()
}

func TestVerifyPageIsAccessible(t *testing.T) {
	o := startBureau(t)
	h := handOut(t, o)
	b := open(t, o.app)
	h.write("broken.zip", slices.Concat(h.zip[:len(h.zip)/2], []byte("x"), h.zip[len(h.zip)/2+1:]))
	for _, lang := range []string{"en", "ar"} {
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{1280, 360} {
				b.width(width)
				h.openVerify(b)
				eval[bool](b, fmt.Sprintf(`(language = %q, document.documentElement.dataset.theme = %q, draw(), true)`, lang, theme))
				b.accessible("verify-" + lang + "-" + theme)
				for state, files := range map[string][]string{"verified": {"pack.zip"}, "incomplete": {"pack.json"}, "damaged": {"broken.zip"}} {
					h.check(b, h.fingerprint, files...)
					id := fmt.Sprintf("verify-%s-%s-%s-%d", state, lang, theme, width)
					b.picture(id)
					b.accessible(id)
				}
				require.Equal(t, map[string]string{"en": "ltr", "ar": "rtl"}[lang], eval[string](b, `document.dir`))
			}
		}
	}
}

// A browser that cannot check is told so plainly, instead of being shown a verdict.
func TestVerifyPageInABrowserThatCannot(t *testing.T) {
	o := startBureau(t)
	h := handOut(t, o)
	for name, tt := range map[string]struct{ before, says string }{
		"no WebCrypto": {`Object.defineProperty(crypto, "subtle", {value: undefined})`, "WebCrypto"},
		"no Ed25519":   {`SubtleCrypto.prototype.importKey = () => Promise.reject(new Error("unknown"))`, "Ed25519"},
		"no inflate":   {`delete globalThis.DecompressionStream`, "Unpack the zip"},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, o.app)
			b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
				_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: tt.before})
				return chromedp.Void{}, err
			})
			h.openVerify(b)
			b.until(`!document.getElementById("trouble").hidden`)
			require.Contains(t, b.text("#trouble"), tt.says)
			require.Equal(t, name != "no inflate", eval[bool](b, `document.getElementById("check").disabled`))
		})
	}
}

// outcome is what a verifier says: the verdict, and the status of each check.
func outcome(verdict string, checks []string) string { return verdict + " " + strings.Join(checks, " ") }

func goOutcome(r *pack.Report) string {
	var checks []string
	for _, c := range r.Checks {
		checks = append(checks, string(c.Status))
	}
	return outcome(string(r.Verdict), checks)
}

// harness runs many changes in one go: fixture holds the files, each change is [place, byte, bit].
const harness = `
globalThis.run = async (places, changes, fingerprint) => {
  const files = { whole: true };
  for (const [place, data] of Object.entries(places)) files[place] = fromBase64(data);
  const out = [];
  for (const [place, at, bit] of changes) {
    const changed = { ...files, [place]: files[place].slice() };
    changed[place][at] ^= 1 << bit;
    const r = await verify(changed, { fingerprint });
    out.push([r.verdict, ...r.checks.map(c => c.status)].join(" "));
  }
  return out;
}; true`

// The one-bit test runs in the page as it does in Go: no change of any file goes unseen but those of the checkpoint's own
// signature, and for each change both say the same of each check.
func TestVerifyPageOneBit(t *testing.T) {
	o := startBureau(t)
	h := handOut(t, o)
	b := open(t, o.app)
	h.openVerify(b)
	places := map[string]string{ // the page's names of the files
		"pack": "pack.json", "markdown": "pack.md", "pdf": "pack.pdf", "envelope": "pack.dsse.json", "bundle": "pack.sigstore.json",
		"logProof": "pack.tlog-proof", "salts": "salts.json", "publicKey": "tenant.pub",
	}
	data, random := map[string][]byte{}, rand.New(rand.NewPCG(5, 6)) //nolint:gosec // repeatable on purpose
	var changes [][]any
	var want []string
	unseen := 0
	for place, name := range places {
		data[place] = h.files[name]
		for range 60 {
			at, bit := random.IntN(len(h.files[name])), random.IntN(8)
			changes = append(changes, []any{place, at, bit})
			changed := slices.Clone(h.files[name])
			changed[at] ^= 1 << bit
			want = append(want, goOutcome(pack.Verify(h.asFiles(name, changed), pack.Trust{Fingerprint: h.fingerprint})))
			signature := name == "pack.tlog-proof" && at > bytes.LastIndexByte(changed, ' ')
			if !strings.HasPrefix(want[len(want)-1], "failed") {
				unseen++
				require.True(t, signature, "bit %d of byte %d of %s", bit, at, name)
			}
		}
	}
	require.Less(t, unseen, 30)
	eval[bool](b, harness)
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](fmt.Sprintf("run(%s, %s, %q)", asJSON(t, data), asJSON(t, changes), h.fingerprint), chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, want[i], got[i], "%v", changes[i])
	}
	t.Logf("%d changes, %d of them in the checkpoint's signature", len(want), unseen)
}

// asFiles are the files with one of them changed.
func (h handed) asFiles(name string, data []byte) pack.Files {
	f := pack.Files{
		Pack: h.files["pack.json"], Markdown: h.files["pack.md"], PDF: h.files["pack.pdf"], Envelope: h.files["pack.dsse.json"],
		Bundle: h.files["pack.sigstore.json"], LogProof: h.files["pack.tlog-proof"], Salts: h.files["salts.json"], PublicKey: h.files["tenant.pub"], Whole: true,
	}
	*map[string]*[]byte{
		"pack.json": &f.Pack, "pack.md": &f.Markdown, "pack.pdf": &f.PDF, "pack.dsse.json": &f.Envelope,
		"pack.sigstore.json": &f.Bundle, "pack.tlog-proof": &f.LogProof, "salts.json": &f.Salts, "tenant.pub": &f.PublicKey,
	}[name] = data
	return f
}

// A change of the zip itself is either seen by both, or is of what no file says: names of other files, times, sizes nobody
// reads. The page is never the milder one.
func TestVerifyPageOneBitOfTheZip(t *testing.T) {
	o := startBureau(t)
	h := handOut(t, o)
	b := open(t, o.app)
	h.openVerify(b)
	random := rand.New(rand.NewPCG(7, 8)) //nolint:gosec // repeatable on purpose
	var changes [][]int
	var milder []bool // whether Go takes the changed zip
	for range 150 {
		at, bit := random.IntN(len(h.zip)), random.IntN(8)
		if len(changes) < 60 { // in the directory, where a zip says of itself what it likes
			at = len(h.zip) - 1 - random.IntN(900)
		}
		changed := slices.Clone(h.zip)
		changed[at] ^= 1 << bit
		file, err := importers.ReadPack(changed)
		milder = append(milder, err == nil && pack.Verify(file.Files, pack.Trust{Fingerprint: h.fingerprint}).OK())
		changes = append(changes, []int{at, bit})
	}
	eval[bool](b, `globalThis.runZip = async (zip, changes, fingerprint) => {
	  const out = [], data = fromBase64(zip);
	  for (const [at, bit] of changes) {
	    data[at] ^= 1 << bit;
	    out.push(await takeApart([{ name: "pack.zip", data }]).then(t => verify(t.files, { fingerprint })).then(r => r.verdict, e => e instanceof Bad ? "refused" : "fault " + e));
	    data[at] ^= 1 << bit;
	  }
	  return out;
	}; true`)
	got, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](fmt.Sprintf("runZip(%s, %s, %q)", asJSON(t, h.zip), asJSON(t, changes), h.fingerprint), chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	for i, verdict := range got {
		require.NotContains(t, verdict, "fault", "%v", changes[i])
		if verdict == "verified" {
			require.True(t, milder[i], "Go refuses what the page takes: %v", changes[i])
		}
	}
	require.Contains(t, got, "refused")
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return string(data)
}

// The page reads the fields that Go reads, no others: its schemas are Go's structs.
func TestVerifyPageKnowsTheFields(t *testing.T) {
	o := startBureau(t)
	h := handOut(t, o)
	b := open(t, o.app)
	h.openVerify(b)
	for name, v := range map[string]any{
		"packSchema": pack.Content{}, "envelopeSchema": pack.Envelope{}, "bundleSchema": pack.Bundle{}, "saltsSchema": pack.Salts{},
		"statementSchema": pack.Statement{}, "eventSchema": audit.Event{},
	} {
		want := asJSON(t, schemaOf(t, reflect.TypeOf(v)))
		require.JSONEq(t, want, eval[string](b, "JSON.stringify("+name+")"), name)
	}
	require.Equal(t, pack.Checks, eval[[]string](b, "checkNames"))
}

// schemaOf writes a type as verify.html has it.
func schemaOf(t *testing.T, typ reflect.Type) any {
	t.Helper()
	switch {
	case typ == reflect.TypeFor[json.RawMessage]():
		return "*"
	case typ == reflect.TypeFor[pack.Reason]():
		return "s"
	}
	switch typ.Kind() {
	case reflect.String:
		return "s"
	case reflect.Int, reflect.Int64:
		return "i"
	case reflect.Float64:
		return "f"
	case reflect.Bool:
		return "b"
	case reflect.Slice:
		return []any{schemaOf(t, typ.Elem())}
	case reflect.Struct:
		out := map[string]any{}
		addFields(t, typ, out)
		return out
	}
	t.Fatalf("verify.html has nothing for %s", typ)
	return nil
}

func addFields(t *testing.T, typ reflect.Type, out map[string]any) {
	t.Helper()
	for i := range typ.NumField() {
		f := typ.Field(i)
		if f.Anonymous {
			addFields(t, f.Type, out)
			continue
		}
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		optional := rest == "omitempty"
		ft, pointer := f.Type, f.Type.Kind() == reflect.Pointer
		if pointer {
			ft = ft.Elem()
		}
		s := schemaOf(t, ft)
		if word, is := s.(string); is && pointer {
			s = word + "0"
			if optional {
				require.Equal(t, "i", word)
				s = "p"
			}
		}
		if optional {
			name += "?"
		}
		out[name] = s
	}
}
