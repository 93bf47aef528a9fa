package auditlog_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/webhook"
)

// TestLogNamesSayWhatIsKnown checks that names are those of today, that what is withdrawn, erased or gone says so, that
// no secret part of an address is told, and that a reader of another tenant is told nothing.
func TestLogNamesSayWhatIsKnown(t *testing.T) {
	h := dbtest.New(t)
	ctx, s := context.Background(), dbtest.SizedSession(5)
	h.AddSession(t, s)
	hook, _, err := h.AddWebhook(ctx, h.Actor, "https://hooks.example/secret-path", []string{webhook.Kinds[0]})
	require.NoError(t, err)
	d := dbtest.Raw(t, h.Dir)
	_, err = d.Exec("UPDATE documents SET withdrawn = 'superseded' WHERE id = ?", s.Documents[0].ID)
	require.NoError(t, err)
	events := []audit.StoredEvent{
		{Kind: "session", ObjectID: s.ID, Actor: h.Actor.ID}, {Kind: "document", ObjectID: s.Documents[0].ID},
		{Kind: "webhook", ObjectID: hook.ID}, {Kind: "session", ObjectID: "gone"},
	}
	facts := make([]audit.Facts, len(events))
	facts[0].Details = map[string]any{"claim": 2.0}
	names, err := h.LogNames(ctx, h.Actor, events, facts)
	require.NoError(t, err)
	require.Equal(t, s.Title, names.Thing(audit.Ref{Kind: "session", ID: s.ID}).Text)
	require.Equal(t, s.Claims[1].Text, names.Thing(audit.Ref{Kind: audit.ClaimKind, ID: s.ID, Claim: 2}).Text)
	require.Equal(t, "withdrawn", names.Thing(audit.Ref{Kind: "document", ID: s.Documents[0].ID}).State)
	require.Equal(t, "hooks.example", names.Thing(audit.Ref{Kind: "webhook", ID: hook.ID}).Text)
	require.Equal(t, audit.Name{State: "gone"}, names.Thing(audit.Ref{Kind: "session", ID: "gone"}))

	other, err := h.AddTenant(ctx, "other", "Other")
	require.NoError(t, err)
	names, err = h.LogNames(ctx, access.Actor{Tenant: other.ID, ID: h.Actor.ID, Role: access.Admin}, events, facts)
	require.NoError(t, err)
	require.Empty(t, names.Things)
	require.Empty(t, names.People)
	require.Empty(t, names.Reviews)
}
