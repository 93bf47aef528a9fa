package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

const twoAdverse = `{"format":"sanad.session/v1","session":{"answer":"Leave."},
 "documents":[{"id":"hr","filename":"HR.txt","text":"All permanent employees receive 15 days of paid annual leave."}],
 "claims":[{"claim_text":"All permanent employees receive 15 days of paid annual leave"},
  {"claim_text":"All permanent employees receive 20 days of paid annual leave"},
  {"claim_text":"The canteen opens at 11:30 on working days"}]}`

// alarming submits a pack that raises alarms: a tool failed, and of the three claims of its ledger one is contradicted
// and one was not found. yousef reviewed them all and drafted the pack of this decision. It returns the pack's id.
func (o *bureau) alarming(t *testing.T, decision string) string {
	t.Helper()
	ctx, who := context.Background(), o.people["yousef"]
	o.actor = who
	session := strings.TrimPrefix(o.take(t, twoAdverse), "/sessions/")
	_, err := o.store.UpdateSession(ctx, who, session, db.ClaimReviewed(session, 1, ledger.Confirm),
		func(s *ledger.Session) (*ledger.Ledger, *db.Receipt, error) {
			for i := range s.Claims {
				_, err := s.AddReview(i, ledger.ReviewInput{Action: ledger.Confirm, By: who.ID, Reason: "Compared."},
					uuid.NewString(), who.User, string(who.Role), time.Now().UTC().Truncate(time.Microsecond))
				if err != nil {
					return nil, nil, err
				}
			}
			l := ledger.Assess(s, o.tenant.FreshnessMonths)
			return &l, nil, nil
		})
	require.NoError(t, err)
	share := 0.9
	d := &pack.Decision{
		Header: pack.Header{DecisionID: decision, EntityID: "hr_12", AgentName: "writer", Model: "m",
			ModelVersion: "1", DecidedAt: "2026-11-18T09:00:00Z", Title: "Publish the leave policy",
			Statement: "The policy is published.", StatementAR: "تُنشر السياسة.", ApprovalClass: "A2",
			ReversibilityClass: "R1", SensitivityClass: "S1", Confidence: &share, LedgerSessionID: session},
		Evidence: []pack.EvidenceSource{{Source: "hr", URI: "hr://12", RetrievedAt: "2026-11-18T08:00:00Z",
			Confidence: &share, Quote: pack.Quote{Excerpt: "15 days of leave"}}},
		ToolCalls: []pack.ToolCallRecord{
			{ToolName: "hr.get", IntendedAction: "read policy 12", ActualAction: "read policy 12",
				VerificationStatus: "verified"},
			{ToolName: "mail.send", IntendedAction: "send policy 12 to the staff", ActualAction: "send policy 12 to the staff",
				VerificationStatus: "failed", Error: "mailbox full"},
		},
	}
	_, _, err = o.store.AddDecision(ctx, who, d, nil)
	require.NoError(t, err)
	v, err := o.store.CreatePack(ctx, who, d.DecisionID, db.Answering{})
	require.NoError(t, err)
	v, err = o.store.SubmitPack(ctx, who, v.Life.PackID, v.Life.Revision, db.Answering{})
	require.NoError(t, err)
	return v.Life.PackID
}

// follow clicks a link within the page and checks that its place is in view.
func (b *tab) follow(link, place string) {
	b.t.Helper()
	b.click(link)
	b.until(`location.hash == "` + place + `" && (r => r.top < innerHeight && r.bottom > 0)(` +
		`document.querySelector("` + place + `:target").getBoundingClientRect())`)
}

// TestAlarmsAreAcknowledged: an approver sees on the first screen what to know, each alarm leads to its tool call or
// claim, an approval without acknowledging each by name is refused, and the signed Statement holds what was
// acknowledged.
func TestAlarmsAreAcknowledged(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	bothWays(t, func(t *testing.T, scripts bool) {
		id := o.alarming(t, "dec_alarming_"+strconv.FormatBool(scripts))
		b := open(t, o.app)
		b.as(o, "sara")
		if !scripts {
			b.withoutScripts()
		}
		b.visit("/packs/" + id + "?lang=ar")
		require.Contains(t, b.text("#attention"), "قبل الاعتماد")
		b.inspect("alarms-ar", scripts)
		b.visit("/packs/" + id + "?lang=en")
		require.Less(t, eval[float64](b, `document.querySelector("#attention .alarms").getBoundingClientRect().top`),
			eval[float64](b, `innerHeight`), "on the first screen")
		require.Contains(t, b.text("#attention"), "T2 mail.send failed")
		require.Contains(t, b.text("#attention"), "Yousef Al Balushi", "who reviewed")
		b.inspect("alarms", scripts)
		b.follow(`#attention .alarms li:nth-child(1) > a`, "#t2")
		alarms := eval[[]string](b, `[...document.querySelectorAll("#attention .alarms > li")].map(li => li.innerText)`)
		require.Len(t, alarms, 3, "%v", alarms)
		require.Contains(t, alarms[1], "contradicted")
		require.Contains(t, alarms[2], "was not found in the sources")
		for i, verdict := range map[string]string{"2": "Contradicted", "3": "Not found"} {
			place := eval[string](b, `document.querySelector("#attention .alarms li:nth-child(`+i+`) .places a").hash`)
			require.Regexp(t, `^#c[0-9]$`, place)
			b.follow(`#attention .alarms li:nth-child(`+i+`) .places a`, place)
			require.Contains(t, b.text(place), verdict)
		}

		approve := func(boxes int) {
			b.do(chromedp.SendKeys(chromedp.ID("d-p"), officePassword))
			for n := 1; n <= boxes; n++ {
				if box := `.alarm-box:nth-of-type(` + strconv.Itoa(n) + `) input:not(:checked)`; eval[bool](b,
					`!!document.querySelector("`+box+`")`) {
					b.click(box)
				}
			}
			if b.submit(`main form[action$="/approve"] .btn-primary`); boxes < 2 {
				require.Equal(t, "/packs/"+id+"/approve", b.path())
			}
		}
		b.visit("/packs/" + id + "/sign")
		approve(0)
		require.Equal(t, "▲Acknowledge first: T2 mail.send, 1 claim contradicted, 1 claim not found in the sources",
			b.text("#d-a-e"))
		b.inspect("alarms-not-acknowledged", scripts)
		approve(1)
		require.Contains(t, b.text("#d-a-e"), "1 claim contradicted, 1 claim not found in the sources", "two are left")
		require.NotContains(t, b.text("#d-a-e"), "mail.send")
		require.Equal(t, 1, eval[int](b, `document.querySelectorAll(".acknowledge input:checked").length`), "it stays")
		b.click(`.alarm-box:nth-of-type(2) input`)
		b.click(`.alarm-box:nth-of-type(3) input`)
		approve(3)
		require.Contains(t, b.text(".stamp"), "Signed off")
		require.Contains(t, b.text("#sec-approvals"), "T2 mail.send failed")

		require.Equal(t, []string{"call_failed:T2", "claims_contradicted:ledger", "claims_not_found:ledger"},
			o.acknowledged(t, id))
	})
}

// acknowledged returns what the approvals in a pack's signed Statement acknowledge.
func (o *bureau) acknowledged(t *testing.T, id string) (out []string) {
	t.Helper()
	envelope, _, err := o.store.PackFile(context.Background(), o.tenant.ID, id, pack.FileEnvelope)
	require.NoError(t, err)
	var dsse struct{ Payload string }
	require.NoError(t, json.Unmarshal(envelope, &dsse))
	statement, err := base64.StdEncoding.DecodeString(dsse.Payload)
	require.NoError(t, err)
	var signed struct {
		Predicate struct {
			Approvals []struct{ Acknowledged []string }
		}
	}
	require.NoError(t, json.Unmarshal(statement, &signed))
	for _, a := range signed.Predicate.Approvals {
		out = append(out, a.Acknowledged...)
	}
	return out
}
