package packs

import (
	"fmt"
	"html"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
	"sanad/internal/words"
)

// onPack is a pack of two sources, one restricted and stale, and three tool calls, of which two went wrong.
func onPack(state pack.State) *pack.Pack {
	sure, window := 0.9, 24
	d := &pack.Decision{
		Header: pack.Header{
			DecisionID: "dec_1", EntityID: "lead_1", AgentName: "matcher", Model: "m",
			DecidedAt: "2026-11-20T09:00:00Z", Title: "Fit <b>of</b> the hospital",
			Statement: "It fits.", ApprovalClass: "A3", ReversibilityClass: "R1", SensitivityClass: "S1",
			Confidence: &sure, FreshnessWindowHours: &window,
		},
		Evidence: []pack.EvidenceSource{
			{Source: "crm", URI: "crm://1", RetrievedAt: "2026-11-20T08:30:00Z", Confidence: &sure,
				Quote: pack.Quote{Excerpt: "310 beds"}},
			{Source: "سجل", URI: "reg://2", RetrievedAt: "2026-11-10T09:00:00Z", Confidence: &sure,
				SensitivityClass: "S3", Quote: pack.Quote{Excerpt: "restricted words"}},
		},
		ToolCalls: []pack.ToolCallRecord{
			{ToolName: "read", IntendedAction: "read 1", ActualAction: " read  1", VerificationStatus: "verified"},
			{ToolName: "pay", IntendedAction: "draft", ActualAction: "paid"},
			{ToolName: "recall", IntendedAction: "recall", ActualAction: "recall", Error: "timeout"},
		},
	}
	pack.SealRestricted(d, []byte("secret"))
	k := pack.Assemble(d, pack.Opening{PackID: "pack_0123456789abcdef", TenantID: "t",
		At: time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)}, nil)
	k.Memo.BodyEN = "## Basis\n\nBeds [E1], licence [E2], and [E7].\n\n- one\n- two"
	k.Memo.BodyAR = "## الأساس\n\nالأسرّة [E1].\n\n- واحد\n- اثنان"
	k.SetPolicy(pack.DefaultPolicy())
	return &pack.Pack{Content: k, Life: pack.Life{PackID: k.PackID, State: state, Revision: 4, Need: 2,
		Mandatory: true, Authors: []string{"u1"}, Digest: strings.Repeat("ab", 32)}}
}

// TestPackOfMarkdown: a quotation of a Markdown file is shown without its marks, that of another file as it is.
func TestPackOfMarkdown(t *testing.T) {
	t.Parallel()
	for name, stars := range map[string]bool{"rules.md": false, "rules.txt": true} {
		p := onPack(pack.Draft)
		p.Content.Sources[0].Source, p.Content.Sources[0].Excerpt = name, "The hospital has **310** beds."
		html := packHTML(t, "en", Input{Pack: p})
		require.Contains(t, html, "The hospital has ")
		require.Equal(t, stars, strings.Contains(html, "**310**"), name)
	}
}

func packHTML(t *testing.T, lang string, in Input) string {
	c := viewtest.ChromeAt(lang, "/packs/"+in.Pack.Content.PackID)
	c.May = ui.May{DraftPack: true, DecidePack: true}
	return viewtest.Html(t, Show(NewPage(c, in)))
}

func signHTML(t *testing.T, lang string, in Input) string {
	c := viewtest.ChromeAt(lang, "/packs/"+in.Pack.Content.PackID+"/sign")
	c.May = ui.May{DraftPack: true, DecidePack: true}
	return viewtest.Html(t, Sign(NewPage(c, in)))
}

func TestPackPageShowsChecks(t *testing.T) {
	page := packHTML(t, "en", Input{Pack: onPack(pack.InReview), Decide: Decide{Shown: true},
		Seal: &Seal{Digest: strings.Repeat("ab", 32), LogIndex: -1}})
	for id, wants := range map[string][]string{
		"e1":            {"310 beds", "matches the excerpt", "was fresh: under an hour old at the decision (limit 24 hours)"},
		"e2":            {"The text is not kept here (S3)", "salted", "stale: 10 days old at the decision (limit 24 hours)"},
		"t1":            {"read 1", "Reported by the system: done as intended"},
		"t2":            {"The tool did something other than what was intended.", "paid"},
		"t3":            {"The call failed.", "timeout"},
		"sec-approvals": {"2 more approvers are needed.", "Approve as the first of two"},
		"sec-decision":  {"A3 · two approvers"},
	} {
		text := strings.NewReplacer("\u2068", "", "\u2069", "").Replace(viewtest.ByID(t, page, id))
		for _, want := range wants {
			require.Contains(t, text, want, id)
		}
	}
	require.Equal(t, 1, strings.Count(page, "by rule: approval class A2 or A3"), "the requirement stands once")
	require.Equal(t, 1, strings.Count(viewtest.ByID(t, page, "sec-tools"), "other than what was intended"), "a sentence a call")
	require.NotContains(t, viewtest.ByID(t, page, "sec-tools"), "✓", "what the system reports is not a check of ours")
	require.NotContains(t, page, "restricted words")
	require.NotContains(t, viewtest.ByID(t, page, "t1"), "something other", "white space is folded")
	require.Contains(t, page, "Fit &lt;b&gt;of&lt;/b&gt; the hospital")
}

// TestSourcesAgainstTheDecision: a source that speaks against the decision stands where an approver reads first and in the
// drawer before the button, and is marked in the list; what the system intended and did is isolated in its own lines.
func TestSourcesAgainstTheDecision(t *testing.T) {
	x := onPack(pack.InReview)
	x.Content.Sources[0].Excerpt = "Bank account changed on 16 November, change not yet confirmed by call-back."
	x.Content.ToolCalls[1].ActualAction = "paid the supplier"
	x.Content.Alarms = []pack.Alarm{{ID: "call_departed:T2", Kind: pack.CallDeparted, Object: "T2"}}
	in := Input{Pack: x, Decide: Decide{Shown: true}, Seal: &Seal{Digest: strings.Repeat("ab", 32), LogIndex: -1},
		Concerns: []pack.Concern{{Kind: pack.SourcesStale, N: 1, Objects: []string{"E2"}}},
		Since:    x.Content.SourceAlarms(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))}
	for lang, said := range map[string]string{"en": "a reservation or a condition", "ar": "فيه تحفظ أو شرط"} {
		page, drawer := packHTML(t, lang, in), signHTML(t, lang, in)
		c := viewtest.ChromeAt(lang, "/")
		box := viewtest.ByID(t, page, "attention")
		for _, text := range []string{box, drawer} {
			require.Contains(t, text, said)
			require.Contains(t, text, "not yet confirmed by call-back")
		}
		require.Contains(t, box, c.T("pk_adverse"))
		require.Contains(t, drawer, c.T("alarm.sources_reserved", "Source", "E1"))
		require.Contains(t, page, `<a href="#e1">`)
		require.Contains(t, drawer, `href="/packs/pack_0123456789abcdef#e1"`)
		require.Less(t, strings.Index(drawer, "call-back"), strings.Index(drawer, `name="password"`), "before the button")
		require.Contains(t, drawer, `name="acknowledged" value="sources_reserved:`)
		require.Contains(t, drawer, `name="acknowledged" value="sources_stale:`)
		require.Contains(t, page, c.N("pk_line_alarms", 4), "what the sources say is counted")
		require.Contains(t, box, c.N("alarm.sources_stale", 1), "and told in the same words as beside its box")
		require.Contains(t, drawer, c.N("alarm.sources_stale", 1))
		require.NotContains(t, page, c.N("concern_sources_stale", 1), "once")
		require.Contains(t, viewtest.ByID(t, page, "e1"), said)
		require.NotContains(t, viewtest.ByID(t, page, "e2"), said)
		require.NotContains(t, drawer, "is-clear")
		require.Equal(t, 1, strings.Count(page[:strings.Index(page, "sec-decision")], said), "said once before the sections")
		for _, html := range []string{page, drawer} {
			require.Contains(t, html, `<span dir="ltr" lang="en">paid the supplier</span>`)
		}
		require.Contains(t, drawer, c.T("pk_sign_already"))
	}
	x.Content.ToolCalls, x.Content.Alarms = x.Content.ToolCalls[:1], nil
	require.NotContains(t, signHTML(t, "en", in), "The system has already done this")

	x.Content.Sources[1].SensitivityClass = "S1"
	x.Content.Sources[1].Excerpt = "The new limit is not yet confirmed by the treasurer."
	in.Since = x.Content.SourceAlarms(time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC))
	drawer := signHTML(t, "en", in)
	require.Equal(t, 2, strings.Count(drawer, `name="acknowledged" value="sources_reserved:`), "one box for each")
	for _, said := range []string{"confirmed by call-back", "confirmed by the treasurer"} {
		require.Equal(t, 1, strings.Count(drawer, said), said)
	}
}

// TestSignedCopiesComeFirst: a signed pack offers what was signed before the copies for reading, which say what they are.
func TestSignedCopiesComeFirst(t *testing.T) {
	c := viewtest.ChromeAt("en", "/packs/pack_0123456789abcdef")
	c.May = ui.May{DraftPack: true, ExportPack: true}
	x := onPack(pack.SignedOff)
	x.Life.Approvals = []pack.Approval{{Actor: "u2"}, {Actor: "u3"}}
	page := viewtest.Html(t, Show(NewPage(c, Input{Pack: x, Exports: Exports{Signed: true, At: true}})))
	at := -1
	for _, want := range []string{"Signed pack (zip)", "Signed PDF in both languages",
		"Unsigned copy for reading, in English (PDF)", "Unsigned copy for reading, in Arabic (PDF)"} {
		i := strings.Index(page, want)
		require.Greater(t, i, at, want)
		at = i
	}
}

// TestCopyPage: the page of a copy says where it is downloaded and by which key it was signed.
func TestCopyPage(t *testing.T) {
	e := pack.ExportRequest{ID: "x1", PackID: "pack_0123456789abcdef", Title: "T", Format: "zip"}
	for _, lang := range []string{"en", "ar"} {
		c := viewtest.ChromeAt(lang, "/")
		page := viewtest.Html(t, Copy(NewCopyPage(c, CopyInput{Copy: e, KeyID: "SHA256:abc"})))
		require.Contains(t, page, `href="/packs/pack_0123456789abcdef/exports/x1/file"`)
		require.Contains(t, page, "SHA256:abc")
		require.Contains(t, page, `href="/verify.html?lang=`+lang+`" target="_blank" rel="noopener"`)
		require.NotContains(t, page, "((")
		require.NotContains(t, page, "))")
		c.May.ExportPack = true
		page = viewtest.Html(t, Copy(NewCopyPage(c, CopyInput{Copy: e, Over: true})))
		require.NotContains(t, page, "/file")
		require.Contains(t, page, `action="/packs/pack_0123456789abcdef/exports"`)
	}
}

func TestMemoReferencesLeadToEvidence(t *testing.T) {
	page := packHTML(t, "en", Input{Pack: onPack(pack.InReview)})
	require.Equal(t, 2, strings.Count(page, `<sup class="cite"><a href="#e1"`), "in both languages")
	require.Equal(t, 1, strings.Count(page, `<sup class="cite"><a href="#e2"`))
	require.Contains(t, page, "cite-broken")
	require.NotContains(t, page, `href="#e7"`)
	m := NewPage(viewtest.ChromeAt("ar", "/"), Input{Pack: onPack(pack.InReview)}).Memo
	require.Equal(t, []string{"ar", "en"}, []string{m.Columns[0].Lang, m.Columns[1].Lang},
		"the reader's language comes first")
	require.Equal(t, "rtl", m.Columns[0].Dir)
	require.Equal(t, "Executive summary", m.Columns[1].SummaryLabel, "a column speaks its own language")
	require.False(t, m.Long)
}

func TestPackPageExplainsMissingApproval(t *testing.T) {
	rule := pack.RuleOutcome{Rule: pack.ApproverApart, Level: pack.Must, Outcome: pack.Unmet, Objects: []string{"u1"}}
	for said, why := range map[string]error{
		"fault_pack_maker":           domain.Refuse(domain.Conflict, "", "refused_pack_maker"),
		"fault_pack_behind":          domain.Refuse(domain.Conflict, "", "refused_pack_behind"),
		"policy.broken_" + rule.Rule: &pack.PolicyError{Rules: []pack.RuleOutcome{rule}, Err: domain.Refuse(domain.Conflict, "", "refused_policy_refuses")},
	} {
		for _, lang := range []string{"en", "ar"} {
			c := viewtest.ChromeAt(lang, "/")
			page := packHTML(t, lang, Input{Pack: onPack(pack.InReview), Decide: Decide{Shown: true, Why: why}})
			require.Contains(t, page, html.EscapeString(c.T(said)))
			require.Contains(t, page, html.EscapeString(c.T("pk_none_may_approve")))
			require.NotContains(t, page, `/sign"`)
			require.Contains(t, page, `/return"`)
			page = packHTML(t, lang, Input{Pack: onPack(pack.InReview),
				Decide: Decide{Shown: true, Why: why, Waits: waiting("Noura", "Sara")}})
			require.Contains(t, page, c.T("pk_may_approve", "Names", "\u2068Noura\u2069"+c.T("list_comma")+"\u2068Sara\u2069"))
		}
	}
	page := signHTML(t, "en", Input{Pack: onPack(pack.InReview),
		Decide: Decide{Shown: true, NoPassword: true, Confirm: "/confirm"}})
	require.NotContains(t, page, `name="password"`)
	require.Contains(t, page, `href="/confirm"`)
}

func TestSealOfFailedVerification(t *testing.T) {
	report := &pack.Report{Verdict: pack.Refused,
		Checks: []pack.Check{{Name: pack.CheckSignature, Status: pack.Failed, Detail: "another key"},
			{Name: pack.CheckLog, Status: pack.NotChecked}}}
	in := Input{Pack: onPack(pack.SignedOff), Seal: &Seal{Digest: "ab", LogIndex: 6, TreeSize: 9, Report: report}}
	text := viewtest.ByID(t, packHTML(t, "en", in), "sec-integrity")
	for _, want := range []string{"Something is not valid", "not valid Signature another key",
		"not checked Proof of the log entry", "entry 7, in a signed log of 9 entries"} {
		require.Contains(t, text, want)
	}
}

func TestDraftListsEveryBrokenRule(t *testing.T) {
	x := onPack(pack.Draft)
	x.Content.Memo.TitleAR, x.Content.Sources[0].Source = "", ""
	faults := x.Content.Validate(nil)
	c := viewtest.ChromeAt("en", "/")
	p := NewEditPage(c, EditInput{Pack: x, Faults: faults})
	page := viewtest.Html(t, Edit(p))
	hrefs := map[string]string{}
	for _, f := range append(p.Faults, p.Warnings...) {
		hrefs[f.Rule] = f.Href
		require.NotContains(t, f.Text, "%")
	}
	require.Equal(t, "#f-title_ar", hrefs["11"])
	require.Equal(t, "/packs/pack_0123456789abcdef/mend#sources-0-source", hrefs["1"])
	require.Equal(t, "/packs/pack_0123456789abcdef/mend#tool_calls-1-actual_action", hrefs["23"])
	require.Equal(t, "#f-body_en", hrefs["21"])
	require.Contains(t, viewtest.ByID(t, page, "faults"), fmt.Sprintf("%d rules are not met", len(p.Faults)))
	require.Contains(t, page, `data-count="f-body_ar"`)
	ar := NewEditPage(viewtest.ChromeAt("ar", "/"), EditInput{Pack: x, Faults: faults})
	require.Equal(t, "title_ar", ar.Groups[0].Fields[0].Name)
	require.NotContains(t, ar.Faults[0].Text, "%")
}

func TestStaleDraftShowsBothTexts(t *testing.T) {
	x := onPack(pack.Draft)
	stored := x.Content.Memo
	x.Content.Memo.BodyEN = "mine"
	page := viewtest.Html(t, Edit(NewEditPage(viewtest.ChromeAt("en", "/"), EditInput{Pack: x, Stored: &stored})))
	require.Contains(t, page, ">mine</textarea>")
	require.Equal(t, 1, strings.Count(page, "Stored by somebody else"))
}

func TestComparisonShowsWording(t *testing.T) {
	older, newer := onPack(pack.Superseded).Content, onPack(pack.InReview).Content
	newer.Memo.TitleEN += " again"
	newer.Sources = newer.Sources[:1]
	in := CompareInput{Title: "T", Old: Version{ID: "a", Version: 1, State: pack.Superseded},
		New: Version{ID: "b", Version: 2, State: pack.InReview}, Shown: "b", Changes: pack.Compare(&older, &newer)}
	page := viewtest.Html(t, Compare(NewComparePage(viewtest.ChromeAt("ar", "/"), in)))
	require.Regexp(t, `<ins><span class="vh"[^>]*>[^<]+</span>[^<]*again</ins>`, page)
	require.Contains(t, page, "سجل")
	in.Changes = pack.Changes{}
	require.Contains(t, viewtest.Html(t, Compare(NewComparePage(viewtest.ChromeAt("en", "/"), in))), "Nothing changed")
}

func TestExportSectionByRole(t *testing.T) {
	ask := pack.ExportRequest{ID: "x1", PackID: "pack_0123456789abcdef", Format: "pdf", AskedBy: "u2",
		AskedName: "Huda", State: "asked"}
	granted := ask
	granted.State = "granted"
	base := "/packs/pack_0123456789abcdef/exports"
	for name, c := range map[string]struct {
		in      Exports
		has, no []string
	}{
		"draft": {Exports{Ask: true}, nil, []string{base}},
		"viewer": {Exports{Signed: true, Ask: true, Mine: []pack.ExportRequest{granted}},
			[]string{base + "/ask", base + "/x1/link"}, []string{base + `"`, "/grant"}},
		"approver": {Exports{Signed: true, At: true, Waiting: []pack.ExportRequest{ask}},
			[]string{base + `"`, base + "/x1/grant", base + "/x1/refuse"}, []string{base + "/ask"}},
	} {
		page := packHTML(t, "en", Input{Pack: onPack(pack.SignedOff), Exports: c.in})
		for _, want := range c.has {
			require.Contains(t, page, want, name)
		}
		for _, not := range c.no {
			require.NotContains(t, page, not, name)
		}
	}
}

func TestQueueCountsTheRest(t *testing.T) {
	c := viewtest.ChromeAt("en", "/")
	q := c.PackQueue(&pack.Queue{Missing: []pack.DecisionRow{{DecisionID: "a b", Title: "T"}}, NMissing: 4})
	require.Equal(t, "3 more", q.MoreMissing)
	require.Equal(t, "/packs/new?decision=a+b", q.Missing[0].Href)
	require.False(t, q.Empty())
}

func TestRetentionNeedsASecondPerson(t *testing.T) {
	c := viewtest.ChromeAt("en", "/admin/retention")
	c.May = ui.May{ConfirmPurge: true}
	in := RetentionInput{Reader: "me",
		Purges: []pack.Purge{{ID: "p1", Title: "T", AskedBy: "me"}, {ID: "p2", Title: "U", Decision: true}}}
	page := viewtest.Html(t, Retention(NewRetentionPage(c, in)))
	require.NotContains(t, page, "/admin/retention/p1/confirm")
	require.Contains(t, page, "/admin/retention/p2/confirm")
	require.NotContains(t, page, `href="/admin/users"`, "an approver administers nothing else")
}

// Each value of a pack has a message; another test checks that both languages have all messages.
func TestFamiliesOfPacks(t *testing.T) {
	en := words.In("en")
	families := map[string][]string{
		"pk_class_": append(append(append([]string{}, pack.ApprovalClasses...), pack.ReversibilityClasses...),
			pack.SensitivityClasses...),
		"pk_kind_": pack.SourceKinds, "pk_call_": pack.VerificationStatuses,
		"pk_check_":  append([]string{"ok", "failed", "not_checked"}, pack.Checks...),
		"pk_format_": PackFormats, "pk_ask_": {"asked", "granted", "refused", "linked"},
		"pk_change_": {"added", "aside", "dropped", "flipped", "reviewed"}, "pk_source_": {"added", "dropped", "changed"},
		"pk_memo_":  {"title", "executive_summary", "body"},
		"pk_lang_":  {"en", "ar"},
		"ret_done_": {"asked", "purged", "refused"},
		"pk_done_":  {"submitted", "approved", "signed", "returned", "asked", "granted", "refused", "held", "lifted"},
		"pk_sec_": {"decision", "sources", "tools", "prompts", "memo", "claims", "withheld", "files", "approvals",
			"versions", "integrity", "trail", "export", "retention"},
		"fault_":    {"reason_missing", "too_long", "pack_changed", "pack_open", "pack_has", "pack_not_now"},
		"pk_level_": {string(pack.Mandatory), string(pack.Recommended), string(pack.Skip)},
		"object_":   {"pack", "decision"},
	}
	for _, s := range pack.States {
		families["pk_state_"] = append(families["pk_state_"], string(s))
	}
	for _, v := range []pack.Verdict{pack.Verified, pack.Consistent, pack.Incomplete, pack.Newer, pack.Refused} {
		families["pk_verdict_"] = append(families["pk_verdict_"], string(v))
	}
	families["event_pack_"] = []string{"created", "edited", "submitted", "returned", "version_made", "approved",
		"signed_off", "superseded", "export_asked", "export_granted",
		"export_refused", "export_linked", "exported", "hold_set", "hold_lifted", "purge_asked", "purge_refused",
		"purged"}
	for prefix, values := range families {
		for _, v := range values {
			require.True(t, en.Has(prefix+v), prefix+v)
		}
	}
}

// Names stand isolated, so that a name in the other script keeps its neighbours in their places.
func TestNamesOfReviewersAreIsolated(t *testing.T) {
	k := &pack.Content{Policy: &pack.PolicyRecord{}, Ledger: &pack.Ledger{Entries: []pack.Entry{{
		Reviews: []pack.Review{{Actor: "Noura", Member: true, Action: ledger.Confirm}, {Actor: "نورة", Member: true, Action: ledger.Confirm}}}}}}
	names := k.ReviewerNames()
	require.Len(t, names, 2)
	c := viewtest.ChromeAt("ar", "/")
	require.Equal(t, "\u2068"+names[0]+"\u2069"+c.T("list_comma")+"\u2068"+names[1]+"\u2069",
		(&Page{Chrome: c}).attention(k, nil, 0).Reviewers)
}

// TestAlarmsReadInThePagesDirection: the headline of an alarm has the page's direction, and what the call intended and did
// stands in lines of its own, each in its direction; so also where an approver acknowledges it (WEB-14).
func TestAlarmsReadInThePagesDirection(t *testing.T) {
	x := onPack(pack.InReview)
	x.Content.Policy = &pack.PolicyRecord{Version: 1, Class: "A3"}
	call := &x.Content.ToolCalls[1]
	call.IntendedAction, call.ActualAction = "draft a payment to INV-7731.", "دُفعت الفاتورة INV-7731."
	x.Content.Alarms = []pack.Alarm{{ID: "call_departed:T2", Kind: pack.CallDeparted, Object: "T2"}}
	in := Input{Pack: x, Decide: Decide{Shown: true, Last: true}}
	for lang, want := range map[string]string{
		"ar": "نفّذ الاستدعاء T2 (pay) خلاف المقصود.",
		"en": "T2 pay did something other than what was intended.",
	} {
		page, drawer := packHTML(t, lang, in), signHTML(t, lang, in)
		require.Contains(t, page, `<a href="#t2">`+want+`</a>`)
		require.Contains(t, drawer, `<span>`+want)
		for _, html := range []string{page, drawer} {
			require.Contains(t, html, `<span dir="ltr" lang="en">draft a payment to INV-7731.</span>`)
			require.Contains(t, html, `<span dir="rtl" lang="ar">دُفعت الفاتورة INV-7731.</span>`)
		}
	}
}
