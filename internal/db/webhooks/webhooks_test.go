package webhooks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/webhook"
)

// hooked is a fixture with an endpoint.
type hooked struct {
	*dbtest.Fixture
	ctx context.Context
	webhook.Endpoint
	secret string
}

func newHooked(t testing.TB, kinds ...string) *hooked {
	t.Helper()
	h := &hooked{Fixture: dbtest.New(t), ctx: context.Background()}
	h.Actor.Role = access.Admin
	h.Endpoint, h.secret = h.hook(t, kinds...)
	return h
}

func (h *hooked) hook(t testing.TB, kinds ...string) (webhook.Endpoint, string) {
	t.Helper()
	w, secret, err := h.AddWebhook(h.ctx, h.Actor, "https://hooks.example/x?key=swordfish", kinds)
	require.NoError(t, err)
	return w, secret
}

func (h *hooked) happen(t testing.TB, action string, n int) {
	t.Helper()
	for range n {
		require.NoError(t, h.LogEvent(h.ctx, h.Actor, db.Event{Action: action, Kind: "pack", ObjectID: "pack_1"}))
	}
}

func (h *hooked) due(t testing.TB, later time.Duration) []db.DueDelivery {
	t.Helper()
	out, err := h.DueDeliveries(h.ctx, dbtest.Now.Add(later), 100)
	require.NoError(t, err)
	return out
}

func (h *hooked) kindsOf(t testing.TB, id string) (kinds []string) {
	t.Helper()
	all, _, err := h.Deliveries(h.ctx, h.Tenant.ID, id, "", 100)
	require.NoError(t, err)
	for _, d := range all {
		kinds = append(kinds, d.Kind)
	}
	return kinds
}

func yes(b bool) *bool { return &b }

// TestOutbox checks that an endpoint gets messages of the kinds it subscribed to, written in the event's transaction,
// and no others.
func TestOutbox(t *testing.T) {
	h := newHooked(t, "session.imported", webhook.SessionJudged, "claim.reviewed")
	quiet, _ := h.hook(t, "pack.signed_off")
	other, foreign := h.newOther(t)
	h.happen(t, "pack.submitted", 1)
	s := dbtest.FullSession()
	h.AddSession(t, s)
	require.Equal(t, []string{webhook.SessionJudged, "session.imported"}, h.kindsOf(t, h.ID))
	require.Empty(t, h.kindsOf(t, quiet.ID))
	told, _, err := h.Deliveries(h.ctx, other, foreign, "", 10)
	require.NoError(t, err)
	require.Empty(t, told)

	due := h.due(t, 0)
	require.Len(t, due, 1, "the oldest only")
	require.Equal(t, h.secret, due[0].Secret)
	require.Equal(t, h.URL, due[0].URL)
	var m webhook.Message
	require.NoError(t, json.Unmarshal(due[0].Body, &m))
	events, err := h.Events(h.ctx, h.Tenant.ID, 0, 100)
	require.NoError(t, err)
	e := events[len(events)-1]
	require.Equal(t, webhook.Message{
		Format: webhook.Format, ID: due[0].ID, Kind: "session.imported", At: e.At, Tenant: h.Tenant.ID,
		Object: webhook.Object{Kind: "session", ID: s.ID}, Event: webhook.Event{ID: e.ID, Seq: e.Seq},
	}, m)
	for _, content := range []string{s.Title, s.Answer[:20], s.Documents[0].Filename} {
		require.NotContains(t, string(due[0].Body), content)
	}
}

func (h *hooked) newOther(t testing.TB) (tenant, id string) {
	t.Helper()
	_, a := h.NewTenant(t, "other")
	w, _, err := h.AddWebhook(h.ctx, a, "https://hooks.example/other", webhook.Kinds)
	require.NoError(t, err)
	return a.Tenant, w.ID
}

// TestRolledBackChangeSendsNothing checks that a change that is rolled back sends no message.
func TestRolledBackChangeSendsNothing(t *testing.T) {
	h := newHooked(t, "session.imported")
	_, err := dbtest.Raw(t, h.Dir).Exec("CREATE TRIGGER no_log BEFORE INSERT ON log_hashes BEGIN SELECT RAISE(ABORT, 'x'); END")
	require.NoError(t, err)
	_, _, err = h.InsertSession(h.ctx, h.Actor, dbtest.Assess(dbtest.FullSession()), nil, nil)
	require.Error(t, err)
	require.Empty(t, h.due(t, 0))
	_, err = dbtest.Raw(t, h.Dir).Exec("DROP TRIGGER no_log; CREATE TRIGGER no_outbox BEFORE INSERT ON webhook_deliveries BEGIN SELECT RAISE(ABORT, 'x'); END")
	require.NoError(t, err)
	_, _, err = h.InsertSession(h.ctx, h.Actor, dbtest.Assess(dbtest.FullSession()), nil, nil)
	require.Error(t, err, "a change whose message can't be stored fails")
	rows, _, err := h.Sessions(h.ctx, h.Tenant.ID, ledger.SessionQuery{Limit: 10})
	require.NoError(t, err)
	require.Empty(t, rows)
}

// TestDeliveriesInOrder checks that messages of one endpoint are due in order, independent of other endpoints.
func TestDeliveriesInOrder(t *testing.T) {
	h := newHooked(t, "pack.submitted", "pack.returned")
	second, _ := h.hook(t, "pack.returned")
	h.happen(t, "pack.submitted", 1)
	h.happen(t, "pack.returned", 2)
	due := h.due(t, 0)
	require.Len(t, due, 2)
	first := due[0]
	require.Equal(t, h.ID, first.WebhookID)
	require.Equal(t, "pack.submitted", first.Kind)
	require.Equal(t, second.ID, due[1].WebhookID)

	attempt := db.Attempt{No: first.No, Tenant: first.Tenant, Webhook: first.WebhookID, State: db.DeliveryWaiting,
		NextAt: dbtest.Now.Add(time.Minute), Status: 500, Reason: "status"}
	require.NoError(t, h.SaveAttempt(h.ctx, attempt))
	require.Equal(t, []db.DueDelivery{due[1]}, h.due(t, time.Second), "the first waits, and holds up those behind it")
	due = h.due(t, time.Minute)
	require.Len(t, due, 2)
	require.Equal(t, first.ID, due[1].ID)
	require.Equal(t, 1, due[1].Attempts)

	attempt.State, attempt.Status, attempt.Reason = db.DeliveryDone, 204, ""
	require.NoError(t, h.SaveAttempt(h.ctx, attempt))
	require.NoError(t, h.SaveAttempt(h.ctx, attempt), "twice changes nothing")
	all, next, err := h.Deliveries(h.ctx, h.Tenant.ID, h.ID, "", 2)
	require.NoError(t, err)
	require.Equal(t, all[1].ID, next)
	last, next, err := h.Deliveries(h.ctx, h.Tenant.ID, h.ID, next, 2)
	require.NoError(t, err)
	require.Empty(t, next)
	require.Equal(t, []webhook.Delivery{{ID: first.ID, Kind: "pack.submitted", State: db.DeliveryDone, Attempts: 2,
		Status: 204, CreatedAt: dbtest.Now, EndedAt: dbtest.Now}}, last)
	attempt.State = "dropped"
	require.Error(t, h.SaveAttempt(h.ctx, attempt))
}

// TestDisabledWebhook checks that a disabled endpoint has no due messages, and that it gets no old ones
// when enabled again.
func TestDisabledWebhook(t *testing.T) {
	h := newHooked(t, "pack.submitted")
	h.happen(t, "pack.submitted", 3)
	taken := h.due(t, 0)[0]
	w, err := h.UpdateWebhook(h.ctx, h.Actor, h.ID, db.WebhookChange{Enabled: yes(false)}, nil)
	require.NoError(t, err)
	require.True(t, w.Disabled)
	require.Zero(t, w.Waiting)
	require.Empty(t, h.due(t, time.Hour))
	h.happen(t, "pack.submitted", 1)
	require.NoError(t, h.SaveAttempt(h.ctx,
		db.Attempt{No: taken.No, Tenant: taken.Tenant, Webhook: taken.WebhookID, State: db.DeliveryWaiting,
			NextAt: dbtest.Now}))
	_, err = h.TestWebhook(h.ctx, h.Actor, h.ID)
	require.Equal(t, domain.Conflict, domain.KindOf(err))

	w, err = h.UpdateWebhook(h.ctx, h.Actor, h.ID, db.WebhookChange{Enabled: yes(true)}, nil)
	require.NoError(t, err)
	require.False(t, w.Disabled)
	require.Empty(t, h.due(t, time.Hour))
	all, _, err := h.Deliveries(h.ctx, h.Tenant.ID, h.ID, "", 10)
	require.NoError(t, err)
	require.Len(t, all, 3)
	for _, d := range all {
		require.Equal(t, db.DeliveryDropped, d.State)
		require.Zero(t, d.Attempts)
	}
	id, err := h.TestWebhook(h.ctx, h.Actor, h.ID)
	require.NoError(t, err)
	require.Equal(t, id, h.due(t, 0)[0].ID)
	require.Equal(t, webhook.Test, h.due(t, 0)[0].Kind)
}

// TestOutboxIsBounded checks that an unreachable endpoint fills neither the disk nor the list.
func TestOutboxIsBounded(t *testing.T) {
	h := newHooked(t, "pack.submitted")
	r := dbtest.Raw(t, h.Dir)
	_, err := r.Exec(fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO webhook_deliveries (tenant_id, webhook_id, id, kind, body, created_at, state, attempts, next_at, status, reason, ended_at)
		SELECT ?, ?, 'd' || i, 'pack.submitted', x'7b7d', ?, 'waiting', 0, ?, 0, '', '' FROM n`, webhook.MaxWaiting-1),
		h.Tenant.ID, h.ID, dbtest.Now.Format(time.RFC3339Nano),
		dbtest.Now.UTC().Format("2006-01-02T15:04:05.000000000Z"))
	require.NoError(t, err)
	h.happen(t, "pack.submitted", 3)
	w, err := h.Store.Webhook(h.ctx, h.Tenant.ID, h.ID)
	require.NoError(t, err)
	require.Equal(t, webhook.MaxWaiting, w.Waiting)
	require.Equal(t, 2, w.Missed)
	_, err = h.TestWebhook(h.ctx, h.Actor, h.ID)
	require.Equal(t, domain.Conflict, domain.KindOf(err))

	due := h.due(t, 0)[0]
	_, err = h.UpdateWebhook(h.ctx, h.Actor, h.ID, db.WebhookChange{Enabled: yes(false)}, nil)
	require.NoError(t, err)
	var n int
	require.NoError(t, r.QueryRow("SELECT count(*) FROM webhook_deliveries").Scan(&n))
	require.Equal(t, 100, n)
	require.NotEmpty(t, due.Body)
}

func TestChangesOfWebhooks(t *testing.T) {
	h := newHooked(t, "pack.submitted")
	address := "http://10.0.0.7/x"
	w, err := h.UpdateWebhook(h.ctx, h.Actor, h.ID,
		db.WebhookChange{URL: &address, Kinds: []string{"pack.purged", "pack.created"}},
		func(w webhook.Endpoint) error {
			require.Zero(t, w.Revision)
			return nil
		})
	require.NoError(t, err)
	require.Equal(t, address, w.URL)
	require.Equal(t, []string{"pack.created", "pack.purged"}, w.Kinds)
	require.Equal(t, 1, w.Revision)
	same, err := h.UpdateWebhook(h.ctx, h.Actor, h.ID, db.WebhookChange{URL: &address, Enabled: yes(true)}, nil)
	require.NoError(t, err)
	require.Equal(t, w, same, "an unchanged endpoint keeps its revision")

	_, err = h.UpdateWebhook(h.ctx, h.Actor, h.ID, db.WebhookChange{Enabled: yes(false)},
		func(webhook.Endpoint) error {
			return domain.Refuse(domain.Conflict, "", "refused_somebody_else_changed_endpoint")
		})
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	bad := "ftp://x"
	for _, change := range []db.WebhookChange{{URL: &bad}, {Kinds: []string{}}, {Kinds: []string{"login.failed"}}} {
		_, err = h.UpdateWebhook(h.ctx, h.Actor, h.ID, change, nil)
		require.Equal(t, domain.Invalid, domain.KindOf(err))
	}
	_, secret, err := h.RotateWebhook(h.ctx, h.Actor, h.ID)
	require.NoError(t, err)
	require.NotEqual(t, h.secret, secret)
	h.happen(t, "pack.created", 1)
	require.Equal(t, secret, h.due(t, 0)[0].Secret)
	require.NoError(t, h.RemoveWebhook(h.ctx, h.Actor, h.ID))
	require.Empty(t, h.due(t, 0))
	require.Error(t, h.RemoveWebhook(h.ctx, h.Actor, h.ID))

	events, err := h.Events(h.ctx, h.Tenant.ID, 0, 100)
	require.NoError(t, err)
	var actions []string
	for _, e := range events {
		actions = append(actions, e.Action)
		for _, hidden := range []string{"swordfish", "10.0.0.7", h.secret, secret} {
			require.NotContains(t, string(e.Bytes), hidden)
		}
	}
	require.Equal(t, []string{"webhook.added", "webhook.changed", "webhook.rotated", "pack.created",
		"webhook.removed"}, actions)
	for range webhook.MaxEndpoints {
		h.hook(t, "pack.created")
	}
	_, _, err = h.AddWebhook(h.ctx, h.Actor, address, []string{"pack.created"})
	require.Equal(t, domain.Conflict, domain.KindOf(err))
}

// TestWebhookSecretsAreSealed checks that the database has no plain secrets, and that a sealed one does not work for
// another endpoint.
func TestWebhookSecretsAreSealed(t *testing.T) {
	h := newHooked(t, "pack.submitted")
	second, _ := h.hook(t, "pack.submitted")
	h.happen(t, "pack.submitted", 1)
	_, err := dbtest.Raw(t, h.Dir).Exec("UPDATE webhooks SET sealed = (SELECT sealed FROM webhooks WHERE id = ?) WHERE id = ?", h.ID, second.ID)
	require.NoError(t, err)
	for _, d := range h.due(t, 0) {
		require.Equal(t, map[string]string{h.ID: h.secret, second.ID: ""}[d.WebhookID], d.Secret)
	}
	require.NoError(t, filepath.WalkDir(h.Dir, func(path string, f os.DirEntry, err error) error {
		if err != nil || f.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		require.NotContains(t, string(data), strings.TrimPrefix(h.secret, "whsec_"), path)
		return err
	}))
}

// TestWebhooksOfOtherTenants checks that another tenant's endpoint answers like a missing one, and
// that nothing changes.
func TestWebhooksOfOtherTenants(t *testing.T) {
	h := newHooked(t, "pack.submitted")
	h.happen(t, "pack.submitted", 1)
	before, _, err := h.Deliveries(h.ctx, h.Tenant.ID, h.ID, "", 10)
	require.NoError(t, err)
	_, foreign := h.NewTenant(t, "other")
	foreign.Role = access.Admin
	own, _, err := h.AddWebhook(h.ctx, foreign, "https://hooks.example/", []string{"pack.submitted"})
	require.NoError(t, err)
	for name, x := range map[string]struct {
		who access.Actor
		id  string
	}{
		"other tenant": {foreign, h.ID}, "unknown": {h.Actor, uuid.NewString()}, "malformed": {h.Actor, "' OR 1=1 --"},
		"empty":          {h.Actor, ""},
		"unknown tenant": {access.Actor{Tenant: uuid.NewString()}, h.ID},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := h.Store.Webhook(h.ctx, x.who.Tenant, x.id)
			dbtest.RequireNotFound(t, err)
			_, err = h.UpdateWebhook(h.ctx, x.who, x.id, db.WebhookChange{Enabled: yes(false)}, nil)
			dbtest.RequireNotFound(t, err)
			_, _, err = h.RotateWebhook(h.ctx, x.who, x.id)
			dbtest.RequireNotFound(t, err)
			dbtest.RequireNotFound(t, h.RemoveWebhook(h.ctx, x.who, x.id))
			_, err = h.TestWebhook(h.ctx, x.who, x.id)
			dbtest.RequireNotFound(t, err)
			_, _, err = h.Deliveries(h.ctx, x.who.Tenant, x.id, "", 10)
			dbtest.RequireNotFound(t, err)
		})
	}
	// a delivery of another endpoint as the position
	_, _, err = h.Deliveries(h.ctx, foreign.Tenant, own.ID, before[0].ID, 10)
	dbtest.RequireNotFound(t, err)
	_, _, err = h.AddWebhook(h.ctx, access.Actor{Tenant: db.SystemTenant}, "https://hooks.example/",
		[]string{"pack.submitted"})
	dbtest.RequireNotFound(t, err)
	list, err := h.Webhooks(h.ctx, foreign.Tenant)
	require.NoError(t, err)
	require.Equal(t, []webhook.Endpoint{own}, list)
	after, _, err := h.Deliveries(h.ctx, h.Tenant.ID, h.ID, "", 10)
	require.NoError(t, err)
	require.Equal(t, before, after)
	require.Equal(t, h.secret, h.due(t, 0)[0].Secret)
}

// TestKindsOfWebhooksAreLogged checks that every kind one can subscribe to is logged somewhere under that name.
func TestKindsOfWebhooksAreLogged(t *testing.T) {
	var code strings.Builder
	for _, pattern := range []string{"../*/*.go", "../../handlers/*.go", "../../domain/pack/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, f := range files {
			if !strings.HasSuffix(f, "_test.go") {
				data, err := os.ReadFile(f)
				require.NoError(t, err)
				code.Write(data)
			}
		}
	}
	for _, kind := range webhook.Kinds {
		if kind != webhook.SessionJudged {
			require.Contains(t, code.String(), `"`+kind+`"`, kind)
		}
	}
}
