package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	sanadapp "sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/pack"
	"sanad/internal/exporters/packs"
	"sanad/static"
)

// handed is what a third party receives: a pack's download, and the fingerprint by another channel.
type handed struct {
	t           *testing.T
	dir         string
	files       map[string][]byte
	zip         []byte
	fingerprint string
	id          string
	redacted    []byte // a redacted copy
	erased      []byte // what is kept after the pack was erased
}

// handing is created once for all tests, as sign-off takes seconds; tests must not change it.
var handing struct {
	sync.Once
	handed
}

// handOut unpacks the pack into a new folder.
func handOut(t *testing.T) handed {
	t.Helper()
	handing.Do(func() { handing.handed = signedOut(t) })
	require.NotEmpty(t, handing.fingerprint, "the pack could not be made")
	h := handing.handed
	h.t, h.dir = t, t.TempDir()
	h.write("pack.zip", h.zip)
	for name, data := range h.files {
		h.write(name, data)
	}
	return h
}

// signedOut signs off a pack and downloads it.
func signedOut(t *testing.T) (h handed) {
	t.Helper()
	o := startBureau(t)
	ctx, id := context.Background(), o.packs["dec_supplier_payment"]
	v, err := o.store.Pack(ctx, o.tenant.ID, id)
	require.NoError(t, err)
	o.overrides(t, v.Content.Ledger.SessionID)
	v, err = o.store.Pack(ctx, o.tenant.ID, id)
	require.NoError(t, err)
	require.NotEmpty(t, v.Since, "the ledger has changed since submission")
	_, err = o.store.SetDeputy(ctx, o.people["khalid"], db.DeputyDays{For: o.people["khalid"].ID,
		By: o.people["nasser"].ID, Until: o.now().AddDate(0, 0, 9).Format(time.DateOnly)})
	require.NoError(t, err)
	// a pack with a ledger, contradicted calls, and two approvers, the second as a deputy
	for _, who := range []string{"sara", "nasser"} {
		given := db.Approval{PackID: id, Revision: v.Life.Revision, Digest: v.Life.Digest, Comment: "Read.",
			Acknowledged: v.AlarmIDs()}
		if who == "nasser" {
			given.For = o.people["khalid"].ID
		}
		v, err = o.store.ApprovePack(ctx, o.people[who], given, db.Answering{}, sanadapp.RenderPack(&o.tenant))
		require.NoError(t, err)
	}
	h.files, err = o.store.PackFiles(ctx, o.tenant.ID, id)
	require.NoError(t, err)
	h.files[packs.VerifyPage] = static.VerifyPage
	var z bytes.Buffer
	require.NoError(t, packs.Zip(&z, h.files))
	h.zip = z.Bytes()
	h.id = id
	key, err := pack.ParsePublic(h.files["tenant.pub"])
	require.NoError(t, err)
	h.fingerprint = pack.Fingerprint(key)
	h.afterwards(t, o, id)
	return h
}

// afterwards makes a redacted copy of the pack, and then erases the pack.
func (h *handed) afterwards(t *testing.T, o *bureau, id string) {
	t.Helper()
	ctx, admin := context.Background(), o.people["khalid"]
	f, err := o.store.FrozenPack(ctx, o.tenant.ID, id)
	require.NoError(t, err)
	envelope, err := pack.ParseEnvelope(h.files["pack.dsse.json"])
	require.NoError(t, err)
	reason := func(kind, id string) pack.Redaction {
		return pack.Redaction{Kind: kind, ID: id, Reason: "يذكر اسم شخص", Rule: "PDPL art. 4"}
	}
	r, err := pack.Redact(f, envelope, []pack.Redaction{reason(pack.LeafClaim, f.Content.Ledger.Entries[0].ClaimID),
		reason(pack.LeafClaim, f.Content.Ledger.Entries[1].ClaimID), reason(pack.LeafCall, "T1"),
		reason(pack.LeafMemo, "body_ar")})
	require.NoError(t, err)
	require.NoError(t, o.store.SignRedactions(ctx, admin, r))
	h.redacted, err = r.Bytes()
	require.NoError(t, err)
	e, err := o.store.AskErasure(ctx, admin, erasure.Pack, id, "Asked for.")
	require.NoError(t, err)
	_, err = o.store.ConfirmErasure(ctx, o.people["sara"], e.ID)
	require.NoError(t, err)
	kept, err := o.store.ErasedPack(ctx, o.tenant.ID, id)
	require.NoError(t, err)
	h.erased = kept[db.FileErased]
}

func (h handed) write(name string, data []byte) string {
	h.t.Helper()
	path := filepath.Join(h.dir, name)
	require.NoError(h.t, os.WriteFile(path, data, 0o600))
	return path
}

// openVerify opens verify.html like a third party: from the folder of the unpacked zip.
func (h handed) openVerify(b *tab) {
	h.t.Helper()
	b.do(chromedp.Navigate("file://" + filepath.Join(h.dir, "verify.html")))
	b.until(`typeof ready == "object"`)
	eval[bool](b, `language == "en" || (language = "en", draw(), true)`)
}

// check chooses files, enters a fingerprint, presses Verify, and returns the page's result.
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

// partly is the headline over a pack.json with its envelope and key.
const partly = "Signed and unchanged; 4 of 11 checks were not made"

func TestVerifyPage(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, &app{})
	seen := watch(t, b)
	h.openVerify(b)
	require.Equal(t, "Verified", h.check(b, h.fingerprint, "pack.zip"))
	require.Equal(t, len(pack.Checks), eval[int](b, `document.querySelectorAll(".mark.ok").length`), b.text("#checks"))
	require.Contains(t, b.text("#facts"), pack.Digest(h.files["pack.json"]))
	require.True(t, eval[bool](b, `document.activeElement.id == "result"`))
	require.Regexp(t, `Approved by\p{L}.*approver [0-9a-f-]{36}, \d+ \w+ 20\d\d at \d\d:\d\d UTC`, b.text("#facts"),
		"a name, over role, id and time")
	require.Equal(t, "Consistent, signer not established", h.check(b, "", "pack.zip"))
	other := "SHA256:" + strings.Repeat("A", 43)
	require.Equal(t, "Failed: signed with a different key from the one that you gave", h.check(b, other, "pack.zip"))
	require.Contains(t, b.text("#checks"), "a different key from the trusted one")

	require.Equal(t, partly, h.check(b, h.fingerprint, "pack.json", "pack.dsse.json", "tenant.pub"))
	require.NotContains(t, b.text("#banner"), "Every check passed")
	require.Contains(t, b.text("#unmade"), "Not made, 4 of 11: the contents", "their names follow")
	require.Equal(t, "Incomplete: something needed is missing", h.check(b, h.fingerprint, "pack.json"))
	require.Equal(t, "Verified", h.check(b, h.fingerprint, "pack.json", "pack.md", "pack.pdf", "pack.dsse.json",
		"pack.sigstore.json", "pack.tlog-proof",
		"salts.json", "tenant.pub", "verify.html"))
	h.write("pack (1).json", h.files["salts.json"])
	unread := "Failed: the file cannot be read as a pack"
	require.Equal(t, unread, h.check(b, h.fingerprint, "pack.json", "salts.json", "pack (1).json"),
		"two files for one place")
	require.Equal(t, unread, h.check(b, h.fingerprint, "pack.zip", "pack.json"))

	// a PDF alone is no failure: the page says what to ask for
	pdf := "Not checked: this is a PDF, and a PDF alone cannot be verified"
	require.Equal(t, pdf, h.check(b, h.fingerprint, "pack.pdf"))
	require.Contains(t, b.text("#meaning"), "shows the pack "+h.id+": ask")
	require.True(t, eval[bool](b, `document.getElementById("banner").classList.contains("incomplete")`))
	h.write("other.pdf", []byte("%PDF-1.7\nof something else"))
	require.Equal(t, pdf, h.check(b, "", "other.pdf"))
	require.NotContains(t, b.text("#banner"), "rely")
	h.write("broken.zip", slices.Concat(h.zip[:len(h.zip)/2], []byte("x"), h.zip[len(h.zip)/2+1:]))
	require.Contains(t, h.check(b, h.fingerprint, "broken.zip"), "Failed")
	require.Contains(t, b.text("#meaning"), "Do not rely on it.")

	eval[string](b, `document.getElementById("fingerprint").value = "SHA256:short"`)
	b.click("#check")
	b.until(`document.activeElement.id == "fingerprint"`)
	require.Contains(t, b.text("#fingerprint-error"), "43")
	b.calm()
	seen.mu.Lock()
	defer seen.mu.Unlock()
	require.NotEmpty(t, seen.urls)
	for _, url := range seen.urls {
		require.True(t, strings.HasPrefix(url, "file://") && strings.HasSuffix(url, "/verify.html"),
			"%s was asked for", url)
	}
}

// TestVerifyPageComparesTheDelegation checks that the event of a deputy's approval must name the person and the place in
// the log that the Statement names: each manipulated Statement is refused, by the page as by the program.
func TestVerifyPageComparesTheDelegation(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, &app{})
	h.openVerify(b)
	require.Equal(t, "Verified", h.check(b, h.fingerprint, "pack.zip"))
	require.Contains(t, b.text("#facts"), "as deputy for")
	statement, _, _ := strings.Cut(strings.SplitN(string(h.files["pack.dsse.json"]), `"payload":"`, 2)[1], `"`)
	for change, refused := range map[string]bool{
		"": false, "b.logIndex++": true, "b.logIndex = 0": true, "b.actor = a.actor": true, "delete a.onBehalfOf": true,
	} {
		eval[bool](b, fmt.Sprintf(`(() => {
			const s = JSON.parse(textOf(fromBase64(%q))), a = s.predicate.approvals.at(-1), b = a.onBehalfOf;
			%s;
			globalThis.said = "";
			checkLog(encoder.encode(%q), s).then(() => said = "holds", e => said = e.key || String(e));
			return true;
		})()`, statement, change, string(h.files["pack.tlog-proof"])))
		b.until(`said != ""`)
		require.Equal(t, map[bool]string{true: "e_event", false: "holds"}[refused], eval[string](b, "said"), change)
	}
}

// TestVerifyPageServed checks that the page also works when served, under a policy that allows no connections.
func TestVerifyPageServed(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, startApp(t))
	b.setCookie("")
	b.visit("/verify.html?lang=ar")
	require.Equal(t, "ar rtl /verify.html", eval[string](b, `[document.documentElement.lang, document.dir, location.pathname + location.search].join(" ")`))
	b.visit("/verify.html")
	require.Equal(t, "ar", eval[string](b, `document.documentElement.lang`), "it is remembered")
	b.click("#language")
	b.visit("/verify.html")
	require.Equal(t, "en", eval[string](b, `document.documentElement.lang`))
	require.Equal(t, "Verified", h.check(b, h.fingerprint, "pack.zip"))
	b.calm()
}

func TestVerifyPageIsAccessible(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, &app{})
	h.write("broken.zip", slices.Concat(h.zip[:len(h.zip)/2], []byte("x"), h.zip[len(h.zip)/2+1:]))
	for _, l := range looks(t) {
		b.width(l.width)
		h.openVerify(b)
		eval[bool](b, fmt.Sprintf(`(language = %q, document.documentElement.dataset.theme = %q, draw(), true)`, l.lang,
			l.theme))
		b.accessible(l.name("verify"))
		for state, files := range map[string][]string{"verified": {"pack.zip"}, "incomplete": {"pack.json"},
			"damaged": {"broken.zip"}} {
			h.check(b, h.fingerprint, files...)
			b.picture(l.name("verify-" + state))
			b.accessible(l.name("verify-" + state))
		}
		require.Equal(t, map[string]string{"en": "ltr", "ar": "rtl"}[l.lang], eval[string](b, `document.dir`))
	}
}

// TestVerifyPageInABrowserThatCannot checks that a browser without the needed functions shows an explanation instead of
// a verdict.
func TestVerifyPageInABrowserThatCannot(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	for name, tt := range map[string]struct{ before, says string }{
		"no WebCrypto": {`Object.defineProperty(crypto, "subtle", {value: undefined})`, "WebCrypto"},
		"no Ed25519":   {`SubtleCrypto.prototype.importKey = () => Promise.reject(new Error("unknown"))`, "Ed25519"},
		"no inflate":   {`delete globalThis.DecompressionStream`, "Unpack the zip"},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, &app{})
			b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
				_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument,
					page.AddScriptToEvaluateOnNewDocumentParams{Source: tt.before})
				return chromedp.Void{}, err
			})
			h.openVerify(b)
			b.until(`!document.getElementById("trouble").hidden`)
			require.Contains(t, b.text("#trouble"), tt.says)
			require.Equal(t, name != "no inflate", eval[bool](b, `document.getElementById("check").disabled`))
		})
	}
}

// TestVerifyPageSaysEachRowInASentence: every row of the result has a sentence for somebody who knows nothing of
// hashes, and dates are written in the page's language.
func TestVerifyPageSaysEachRowInASentence(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, &app{})
	h.openVerify(b)
	require.Empty(t, eval[[]string](b, `[...checkNames, "redaction_reasons", "erasure_record", "pack_json_part", "content_root_part"]
		.filter(n => ["en", "ar"].some(l => words[l].plain[n]?.length !== 3 || new Set(words[l].plain[n]).size !== 3))`),
		"a sentence for each check, whatever it found, in both languages")
	require.Empty(t, eval[[]string](b, `[...Object.keys(words.en), ...Object.keys(words.ar)].filter(k => !words.en[k] || !words.ar[k])`))
	require.Equal(t, partly, h.check(b, h.fingerprint, "pack.json", "pack.dsse.json", "tenant.pub"))
	sentences := func() []string {
		return eval[[]string](b, `[...document.querySelectorAll("#checks .plain")].map(e => e.textContent)`)
	}
	require.Len(t, sentences(), len(pack.Checks))
	require.Contains(t, sentences(), "The key named below signed this pack, and the signed statement has not changed since.")
	require.Contains(t, sentences(), "The readable files were not checked: read them with care.")
	require.Regexp(t, `Approved by\s*approver \S+, \d{1,2} [A-Z][a-z]+ 20\d\d(,| at) \d\d:\d\d UTC`, b.text("#facts"))
	require.NotRegexp(t, `\d{4}-\d\d-\d\dT`, b.text("#facts"))
	b.click("#language")
	require.Contains(t, sentences(), "وقّع المفتاحُ المذكور أدناه هذه الحزمة، ولم يتغير البيان الموقَّع بعد ذلك.")
	require.Regexp(t, `معتمِد \S+، \d{1,2} \p{Arabic}+ 20\d\d`, b.text("#facts"))
	require.NotRegexp(t, `[A-Z][a-z]+ 20\d\d|\d{4}-\d\d-\d\dT`, b.text("#facts"))
}
