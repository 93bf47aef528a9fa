package e2e

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/pack"
	"sanad/internal/keys"
)

// post posts a form as a person, and returns where it led to.
func (o *bureau) post(t *testing.T, who, path string, form url.Values) string {
	t.Helper()
	to, _ := o.postBody(t, o.cookies[who], path, "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
	require.NotEmpty(t, to, path)
	return to
}

// reader is the app as a person sees it.
func (o *bureau) reader(who string) *app {
	return &app{url: o.url, cookie: &http.Cookie{Name: "sanad", Value: o.cookies[who]}}
}

// lacking stores a decision that lacks what a tool did, an excerpt and its second language, and returns its draft.
func (o *bureau) lacking(t *testing.T) *db.PackView {
	t.Helper()
	ctx, who, share := context.Background(), o.people["yousef"], 0.9
	_, _, err := o.store.AddDecision(ctx, who, &pack.Decision{
		Header: pack.Header{DecisionID: "dec_lacking", EntityID: "co_45611", AgentName: "matcher", Model: "m",
			ModelVersion: "1", DecidedAt: "2026-11-18T09:00:00Z", Title: "Fit of company 45611",
			Statement:     "Company 45611 fits the profile of a regional distributor.",
			ApprovalClass: "A2", ReversibilityClass: "R1", SensitivityClass: "S1", Confidence: &share},
		Evidence: []pack.EvidenceSource{
			{Source: "crm", URI: "crm://companies/45611", RetrievedAt: "2026-11-18T08:00:00Z", Confidence: &share},
			{Source: "السجل التجاري", URI: "https://registry.example/co/45611?year=2026&lang=ar&view=full&section=establishment",
				RetrievedAt: "2026-11-18T08:05:00Z", Confidence: &share,
				Quote: pack.Quote{Excerpt: "تعمل الشركة منذ 2011 في توزيع المستلزمات الطبية، ولها فروع في الدوحة والخور ومسيعيد، ويعمل فيها 120 موظفًا بعقود دائمة."}},
		},
		ToolCalls: []pack.ToolCallRecord{
			{ToolName: "crm.get", IntendedAction: "retrieve company 45611", VerificationStatus: "verified"},
			{ToolName: "registry.lookup", IntendedAction: "fetch the register entry of company 45611",
				ActualAction: "obtained the commercial record of the firm", VerificationStatus: "unverified"},
		},
	}, nil)
	require.NoError(t, err)
	v, err := o.store.CreatePack(ctx, who, "dec_lacking", db.Answering{})
	require.NoError(t, err)
	return v
}

// trustedKey is the public key of another store.
const trustedKey = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"

// visitors is an answer of which one claim is in no source.
const visitors = `{"format":"sanad.session/v1","session":{"title":"Leave and visitors","query":"How long is annual leave, and what do visitors need?",
 "answer":"All permanent employees receive 15 days of paid annual leave. Visitors wear a badge in the building. The cafeteria serves lunch from noon."},
 "documents":[{"id":"hr","filename":"HR_Handbook_2026.txt","text":"All permanent employees receive 15 days of paid annual leave.\n\nVisitors wear a badge in the building. They return it at the gate. Whoever loses it tells the guard at once.\n\nInterns receive 5 days of unpaid leave."}]}`

// revisedVisitors is its second version.
const revisedVisitors = "Interns receive 5 days of unpaid leave. All permanent employees receive 15 days of paid annual leave. Visitors wear a red badge in the building."

// زوار: the same in Arabic.
const visitorsAR = `{"format":"sanad.session/v1","session":{"title":"الإجازات والزوار","query":"كم مدة الإجازة السنوية؟","lang":"ar",
 "answer":"يحصل الموظفون الدائمون على 15 يوم إجازة سنوية مدفوعة. يضع الزوار بطاقة تعريف داخل المبنى. يقدّم المقصف وجبة الغداء من الظهر."},
 "documents":[{"id":"hr","filename":"دليل الموارد البشرية 2026.txt","text":"يحصل الموظفون الدائمون على 15 يوم إجازة سنوية مدفوعة.\n\nيضع الزوار بطاقة تعريف داخل المبنى، ويعيدونها عند البوابة، ومن أضاعها أبلغ الحارس فورًا.\n\nيحصل المتدربون على 5 أيام إجازة غير مدفوعة."}]}`

const revisedVisitorsAR = "يحصل المتدربون على 5 أيام إجازة غير مدفوعة. يحصل الموظفون الدائمون على 15 يوم إجازة سنوية مدفوعة. يضع الزوار بطاقة حمراء داخل المبنى."

// trustShots returns the pages by which drafts are mended, packs are signed under a policy, sessions grow and texts are
// erased, each in the states worth seeing.
func trustShots(t *testing.T) (*app, []shot) {
	t.Helper()
	o := startBureau(t)
	shots := o.mendShots(t)
	shots = append(shots, o.grownShots(t)...)
	shots = append(shots, o.adminShots(t)...)
	for i := range shots { // each is seen with a login of the last moment
		shots[i].cookie = o.cookies[shots[i].cookie]
	}
	return o.app, shots
}

// mendShots are the draft that lacks something and the pack whose alarms wait for an approver. A shot's cookie is a
// login's name here.
func (o *bureau) mendShots(t *testing.T) []shot {
	t.Helper()
	v := o.lacking(t)
	path := "/packs/" + v.Life.PackID
	to, _ := o.postFile(t, o.cookies["yousef"], path+"/attachments", "file", "محضر اجتماع اللجنة 2026.txt", "The board met.",
		url.Values{"revision": {o.revisionOf(t, v.Life.PackID)}, "reason": {"The minutes that the committee asked for."}})
	require.NotEmpty(t, to)
	view, err := o.store.Pack(context.Background(), o.tenant.ID, v.Life.PackID)
	require.NoError(t, err)
	_, err = o.store.MendPack(context.Background(), o.people["khalid"], v.Life.PackID, view.Life.Revision,
		"أُضيف البيان بالعربية بعد مراجعته مع الإدارة القانونية.", db.Answering{}, func(k *pack.Content) error {
			k.StatementAR = "الشركة 45611 مطابقة لملف الموزّع الإقليمي."
			return nil
		})
	require.NoError(t, err)
	gone, err := o.store.NewVersion(context.Background(), o.people["yousef"], o.packs["dec_credit_limit"], db.Answering{})
	require.NoError(t, err)
	o.post(t, "yousef", "/packs/"+gone.Life.PackID+"/discard",
		url.Values{"revision": {"1"}, "reason": {"حُسم الطلب يدويًا قبل اكتمال الملف."}})
	review := "/packs/" + o.packs["dec_supplier_payment"]
	const mend = `form[action$="/mend"] .btn-primary`
	set := func(id, value string) string { return `document.getElementById("` + id + `").value = "` + value + `"` }
	return []shot{
		{name: "mend", cookie: "yousef", path: path + "/mend"},
		{
			name: "mend-refused", cookie: "yousef", path: path + "/mend", press: mend,
			act: set("sources-0-confidence", "much") + ";" + set("tool_calls-0-inputs", "{"),
		},
		{
			name: "mend-stale", cookie: "yousef", path: path + "/mend", press: mend,
			act: `document.querySelector("form[action$='/mend'] [name=revision]").value = "1";` + set("statement", "Mine."),
		},
		{
			name: "mend-departure-refused", cookie: "yousef", path: path + "/mend",
			press: `form[action$="/departures"] button[value=no]`,
		},
		{name: "pack-discarded", cookie: "yousef", path: "/packs/" + gone.Life.PackID},
		{
			name: "pack-alarms-refused", cookie: "sara", path: review + "/sign",
			press: `form[action$="/approve"] .btn-primary`, act: set("d-c", "Read."),
		},
		{name: "pack-sign", cookie: "sara", path: review + "/sign"},
		{name: "pack-return", cookie: "sara", path: review + "/return"},
	}
}

// revisionOf returns the revision of a pack.
func (o *bureau) revisionOf(t *testing.T, id string) string {
	t.Helper()
	v, err := o.store.Pack(context.Background(), o.tenant.ID, id)
	require.NoError(t, err)
	return strconv.Itoa(v.Life.Revision)
}

// grownShots are sessions that were given documents, revised answers, passages and an imported ledger's reviews.
func (o *bureau) grownShots(t *testing.T) []shot {
	t.Helper()
	yousef := member{o.people["yousef"], o.cookies["yousef"]}
	one := o.importAs(t, o.people["yousef"], "", visitors)
	o.send(t, yousef, one+"/claims/1/reviews", url.Values{"action": {"confirm"}, "seen": {"0"}})
	arabic := o.importAs(t, o.people["yousef"], "", visitorsAR)
	as := o.reader("yousef")
	_, exported := as.get(t, one+"/export/json")
	brought := o.importAs(t, o.people["yousef"], "leave_export_2026.json",
		strings.Replace(exported, "Leave and visitors", "Leave and visitors, exported", 1))
	newer := o.post(t, "yousef", one+"/answers",
		url.Values{"revision": {as.revision(t, one+"/answers/new")}, "answer": {revisedVisitors}})
	newerAR := o.post(t, "yousef", arabic+"/answers",
		url.Values{"revision": {as.revision(t, arabic+"/answers/new")}, "answer": {revisedVisitorsAR}})
	newest := strings.TrimSuffix(strings.SplitN(newer, "?", 2)[0], "/answers")
	_, passages := as.get(t, newest+"/claims/3/passages")
	document := regexp.MustCompile(`name="document_id" value="([^"]+)"`).FindStringSubmatch(passages)
	choice := regexp.MustCompile(`name="passage" value="([^"]+)"`).FindStringSubmatch(passages)
	o.post(t, "yousef", newest+"/claims/3/passages", url.Values{"revision": {as.revision(t, newest+"/claims/3/passages")},
		"document_id": {document[1]}, "passage": {choice[1]}})
	return []shot{
		{name: "claim-imported", cookie: "yousef", path: brought + "/claims/1"},
		{name: "add-documents", cookie: "yousef", path: one + "/documents"},
		{name: "add-documents-refused", cookie: "yousef", path: arabic + "/documents", press: `main form .btn-primary`},
		{name: "answers", cookie: "yousef", path: newer},
		{name: "answers-ar", cookie: "yousef", path: newerAR},
		{name: "answers-one", cookie: "yousef", path: o.session("leave-policy.json") + "/answers"},
		{name: "claim-attached", cookie: "yousef", path: newest + "/claims/3"},
		{name: "ledger-revised", cookie: "yousef", path: newest + "?claim=1"},
		{name: "ledger-older", cookie: "yousef", path: one},
		{name: "answer-revise", cookie: "yousef", path: newest + "/answers/new"},
		{
			name: "answer-revise-refused", cookie: "yousef", path: arabic + "/answers/new", press: `main form .btn-primary`,
			act: `document.getElementById("v-a").value = " "`,
		},
		{name: "passages", cookie: "yousef", path: one + "/claims/3/passages"},
		{name: "passages-ar", cookie: "yousef", path: arabic + "/claims/3/passages?q=" + url.QueryEscape("الغداء")},
		{name: "passages-none", cookie: "yousef", path: one + "/claims/3/passages?q=nothingfitsthis"},
	}
}

// adminShots are the policy, erasures, retention periods, trusted keys and what a person is told of their account.
func (o *bureau) adminShots(t *testing.T) []shot {
	t.Helper()
	ctx := context.Background()
	khalid, sara := o.people["khalid"], o.people["sara"]
	public, err := keys.ParsePEM(trustedKey)
	require.NoError(t, err)
	_, err = o.store.TrustKey(ctx, khalid, "المقر الرئيس · Head office, Riyadh", public)
	require.NoError(t, err)
	require.NoError(t, o.store.SetRole(ctx, khalid, o.people["maryam"].ID, access.Reviewer))

	erased := o.importAs(t, o.people["yousef"], "", strings.Replace(visitors, "Leave and visitors", "Erased", 1))
	asked := o.importAs(t, o.people["yousef"], "", strings.Replace(visitorsAR, "الإجازات والزوار", "شكوى موظف", 1))
	own := o.importAs(t, o.people["yousef"], "", strings.Replace(visitors, "Leave and visitors", "Complaint of an employee", 1))
	document := strings.TrimPrefix(documentOf(t, o.reader("yousef"), erased+"/claims/1"), "/documents/")
	document, _, _ = strings.Cut(document, "?")
	request, err := o.store.AskErasure(ctx, khalid, erasure.Document, document, "Asked for by the person.")
	require.NoError(t, err)
	o.post(t, "sara", "/admin/erasures/"+request.ID+"/confirm", nil)
	_, err = o.store.AskErasure(ctx, khalid, erasure.Session, strings.TrimPrefix(own, "/sessions/"),
		"The employee withdrew the complaint.")
	require.NoError(t, err)
	_, err = o.store.PutOnHold(ctx, khalid, erasure.Session, o.sessions["vendor-review.json"],
		"القضية رقم 118 لسنة 2026 أمام المحكمة الابتدائية.")
	require.NoError(t, err)
	require.NoError(t, o.store.SetPeriods(ctx, khalid, []erasure.Period{{Kind: erasure.Session, Days: 2},
		{Kind: erasure.Upload, Days: 30}})) // before there is a second administrator
	nasser := o.people["nasser"]
	require.NoError(t, o.store.SetRole(ctx, khalid, nasser.ID, access.Admin))
	nasser.Role = access.Admin
	_, err = o.store.AskErasure(ctx, nasser, erasure.Session, strings.TrimPrefix(asked, "/sessions/"),
		"طلب صاحب الشأن محو شكواه وفق قانون حماية خصوصية البيانات الشخصية.")
	require.NoError(t, err)
	refused, err := o.store.AskErasure(ctx, khalid, erasure.Session, o.sessions["procurement-ar.json"], "By mistake.")
	require.NoError(t, err)
	_, err = o.store.RefuseErasure(ctx, sara, refused.ID)
	require.NoError(t, err)
	gone := o.packs["dec_hospital_fit"]
	request, err = o.store.AskErasure(ctx, khalid, erasure.Pack, gone, "Asked for by the hospital.")
	require.NoError(t, err)
	o.post(t, "sara", "/admin/erasures/"+request.ID+"/confirm", nil)
	o.later.Store(int64(72 * time.Hour))
	for login := range o.people { // each has a login that was made just now
		o.cookies[login] = o.device(t, login, "", "")
	}
	const form = `form[action="/admin/erasures"]`
	fill := func(id string) string {
		return `document.getElementById("e-kind").value = "session"; document.getElementById("e-id").value = "` + id +
			`"; document.getElementById("e-r").value = "طلب صاحب الشأن."`
	}
	return []shot{
		{name: "policy", cookie: "khalid", path: "/admin/policy?done=saved"},
		{
			name: "policy-refused", cookie: "khalid", path: "/admin/policy", press: `main form .btn-primary`,
			act: `document.querySelector("input[name='days.A2']").value = "0"`,
		},
		{name: "erasures", cookie: "khalid", path: "/admin/erasures"},
		{name: "erasures-approver", cookie: "sara", path: "/admin/erasures"},
		{
			name: "erasures-plan", cookie: "khalid", path: "/admin/erasures", press: form + ` button[value=dry_run]`,
			act: fill(o.sessions["leave-policy.json"]),
		},
		{
			name: "erasures-blocked", cookie: "khalid", path: "/admin/erasures", press: form + ` button[value=dry_run]`,
			act: fill(o.sessions["vendor-review.json"]),
		},
		{name: "erasures-refused", cookie: "khalid", path: "/admin/erasures", press: form + ` button[value=ask]`},
		{
			name: "holds-refused", cookie: "khalid", path: "/admin/erasures", press: `form[action="/admin/holds"] button[value=set]`,
		},
		{name: "periods", cookie: "khalid", path: "/admin/periods"},
		{
			name: "periods-refused", cookie: "khalid", path: "/admin/periods", press: `main form .btn-primary`,
			act: `document.getElementById("p-session").value = "many"`,
		},
		{name: "trusted-keys", cookie: "khalid", path: "/admin/keys"},
		{
			name: "trusted-keys-refused", cookie: "khalid", path: "/admin/keys",
			press: `form[action="/admin/keys/trusted"] .btn-primary`,
			act:   `document.getElementById("t-key").value = "no key"`,
		},
		{name: "account-told", cookie: "maryam", path: "/account"},
		{
			name: "account-token-refused", cookie: "maryam", path: "/account", press: `form[action="/account/tokens"] button`,
			act: `document.getElementById("k-name").value = "Nightly"; document.getElementById("k-days").value = "0"`,
		},
		{name: "pack-erased", cookie: "maryam", path: "/packs/" + gone},
		{name: "document-erased", cookie: "yousef", path: "/documents/" + document},
		{name: "ledger-erased", cookie: "yousef", path: erased},
	}
}

// TestTrustPagesAreAccessible checks those pages in both languages and themes, wide and narrow: axe-core finds nothing,
// nothing scrolls sideways, nothing violates the content security policy.
func TestTrustPagesAreAccessible(t *testing.T) {
	t.Parallel()
	a, shots := trustShots(t)
	for _, l := range looks(t) {
		t.Run(l.name("trust"), func(t *testing.T) {
			b := open(t, a)
			for _, s := range shots {
				b.shot(s, l)
				b.picture(l.name(s.name))
				b.accessible(l.name(s.name))
			}
		})
	}
}
