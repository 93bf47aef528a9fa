package e2e

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// overrides has the first claim of a session overridden.
func (o *bureau) overrides(t *testing.T, session string) {
	t.Helper()
	who := o.people["yousef"]
	_, err := o.store.UpdateSession(t.Context(), who, session, db.ClaimReviewed(session, 1, ledger.Override),
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			in := ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Contradicted, By: who.ID, Reason: "Read again."}
			_, err := s.AddReview(0, in, uuid.NewString(), who.User, string(who.Role),
				time.Now().UTC().Truncate(time.Microsecond))
			l := ledger.Assess(s, o.tenant.FreshnessMonths)
			return &l, nil, err
		})
	require.NoError(t, err)
}

// TestVerifyPageFindsWhatChangedSinceSubmission: of a Statement that was changed and signed again, the page says what
// Go says of what changed after submission.
func TestVerifyPageFindsWhatChangedSinceSubmission(t *testing.T) {
	t.Parallel()
	h := handOut(t)
	b := open(t, &app{})
	h.openVerify(b)
	eval[bool](b, `globalThis.outcome = async (places, fingerprint) => {
	  const files = { whole: true };
	  for (const [place, data] of Object.entries(places)) files[place] = fromBase64(data);
	  const r = await verify(files, { fingerprint });
	  return [r.verdict, ...r.checks.map(c => c.status), ...r.faults ?? []].join(" ");
	}; true`)
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	key, err := pack.PEM(public)
	require.NoError(t, err)
	envelope, err := pack.ParseEnvelope(h.files["pack.dsse.json"])
	require.NoError(t, err)
	payload, err := base64.StdEncoding.DecodeString(envelope.Payload)
	require.NoError(t, err)
	none := func(*pack.StatementApproval) {}
	seen := map[string]string{}
	for name, change := range map[string]func(a *pack.StatementApproval){
		"as it is": none,
		"removed":  func(a *pack.StatementApproval) { a.Since = nil },
		"not acknowledged": func(a *pack.StatementApproval) {
			a.Acknowledged = slices.DeleteFunc(a.Acknowledged, func(id string) bool { return id == a.Since[0].ID })
		},
		"removed, with what was acknowledged": func(a *pack.StatementApproval) {
			a.Acknowledged = slices.DeleteFunc(a.Acknowledged, func(id string) bool { return id == a.Since[0].ID })
			a.Since = a.Since[1:]
		},
		"about another claim": func(a *pack.StatementApproval) { a.Since[0].Objects[0].ID = "clm" },
		"another verdict":     func(a *pack.StatementApproval) { a.Since[0].Objects[0].Now = ledger.Weak },
		"of another kind":     func(a *pack.StatementApproval) { a.Since[0].Kind = pack.ClaimsChanged },
		"about nothing":       func(a *pack.StatementApproval) { a.Since[0].Objects = nil },
	} {
		s, err := pack.ParseStatement(payload)
		require.NoError(t, err)
		s.Predicate.KeyID = pack.Fingerprint(public)
		change(&s.Predicate.Approvals[len(s.Predicate.Approvals)-1])
		changed, err := s.Bytes()
		require.NoError(t, err)
		signed, err := pack.Sign(changed, private)
		require.NoError(t, err)
		files := map[string][]byte{"pack": h.files["pack.json"], "markdown": h.files["pack.md"], "pdf": h.files["pack.pdf"],
			"logProof": h.files["pack.tlog-proof"], "salts": h.files["salts.json"], "publicKey": key}
		files["envelope"], err = signed.Bytes()
		require.NoError(t, err)
		files["bundle"], err = pack.NewBundle(signed).Bytes()
		require.NoError(t, err)
		want := pack.Verify(pack.Files{Pack: files["pack"], Markdown: files["markdown"], PDF: files["pdf"],
			Envelope: files["envelope"], Bundle: files["bundle"], LogProof: files["logProof"], Salts: files["salts"],
			PublicKey: files["publicKey"], Whole: true}, pack.Trust{Fingerprint: pack.Fingerprint(public)})
		require.Equal(t, pack.OK, want.Status(pack.CheckSignature), name)
		require.Equal(t, name == "as it is", want.OK(), "%s: %+v", name, want.Checks)
		got, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](fmt.Sprintf("outcome(%s, %q)", asJSON(t, files),
			pack.Fingerprint(public)), chromedp.EvalAwaitPromise))
		require.NoError(t, err)
		require.Equal(t, goOutcome(want), got, name)
		seen[name] = got
	}
	require.NotEqual(t, seen["removed"], seen["removed, with what was acknowledged"], "one breaks the policy, one the log")
}
