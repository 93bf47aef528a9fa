package models_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/model"
)

func TestModelEndpoints(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	e, err := h.AddModelEndpoint(ctx, h.Actor, dbtest.AnEndpoint("  Small "), "sk-1")
	require.NoError(t, err)
	want := dbtest.AnEndpoint("Small")
	want.ID, want.HasKey, want.Enabled = e.ID, true, true
	want.CreatedAt, want.ChangedAt, want.CreatedBy, want.ChangedBy = e.CreatedAt, e.ChangedAt, h.Actor.ID, h.Actor.ID
	require.Equal(t, want, e, "every field is stored")
	_, err = h.AddModelEndpoint(ctx, h.Actor, dbtest.AnEndpoint("Small"), "")
	require.Equal(t, domain.Invalid, domain.KindOf(err), "the name is taken")
	other, err := h.AddModelEndpoint(ctx, h.Actor, dbtest.AnEndpoint("Another"), "")
	require.NoError(t, err)
	require.False(t, other.HasKey)
	list, err := h.ModelEndpoints(ctx, h.Tenant.ID)
	require.NoError(t, err)
	require.Equal(t, []model.Endpoint{other, e}, list, "by name")

	for _, by := range []string{e.ID, "Small"} {
		got, key, err := h.OpenModelEndpoint(ctx, h.Tenant.ID, by)
		require.NoError(t, err)
		require.Equal(t, e, got)
		require.Equal(t, "sk-1", key)
	}
	_, err = h.ModelEndpoint(ctx, h.Tenant.ID, "none")
	require.Equal(t, domain.NotFound, domain.KindOf(err))

	// another host gets no key that is stored
	moved := func(x *model.Endpoint) error { x.URL = "https://elsewhere.example/v1"; return nil }
	_, err = h.ChangeModelEndpoint(ctx, h.Actor, e.ID, 0, nil, moved)
	require.Equal(t, domain.Invalid, domain.KindOf(err))
	none := ""
	e, err = h.ChangeModelEndpoint(ctx, h.Actor, e.ID, 0, &none, moved)
	require.NoError(t, err)
	require.False(t, e.HasKey)
	require.Equal(t, 1, e.Revision)
	_, err = h.ChangeModelEndpoint(ctx, h.Actor, e.ID, 0, nil, moved)
	require.Equal(t, domain.Conflict, domain.KindOf(err), "another revision")
	e, err = h.ChangeModelEndpoint(ctx, h.Actor, e.ID, 1, nil, moved)
	require.NoError(t, err)
	require.Equal(t, 1, e.Revision, "nothing changed")
	key := "sk-2"
	e, err = h.ChangeModelEndpoint(ctx, h.Actor, e.ID, -1, &key, func(x *model.Endpoint) error {
		x.Enabled, x.Parallel = false, 3
		return nil
	})
	require.NoError(t, err)
	require.False(t, e.Enabled)
	require.Equal(t, 3, e.Parallel)
	_, opened, err := h.OpenModelEndpoint(ctx, h.Tenant.ID, e.ID)
	require.NoError(t, err)
	require.Equal(t, key, opened)
	_, err = h.ChangeModelEndpoint(ctx, h.Actor, e.ID, -1, nil,
		func(x *model.Endpoint) error { x.Parallel = 1000; return nil })
	require.ErrorContains(t, err, "parallel")
	require.Equal(t, domain.Conflict, domain.KindOf(h.RemoveModelEndpoint(ctx, h.Actor, e.ID, 0)))
	require.NoError(t, h.RemoveModelEndpoint(ctx, h.Actor, e.ID, e.Revision))
	_, err = h.ModelEndpoint(ctx, h.Tenant.ID, e.ID)
	require.Equal(t, domain.NotFound, domain.KindOf(err))

	// a secret in an address is refused, and does not keep an endpoint that has one already from being disabled
	secret := dbtest.AnEndpoint("Secret")
	secret.URL = "https://models.example/v1?api-key=swordfish"
	_, err = h.AddModelEndpoint(ctx, h.Actor, secret, "")
	require.ErrorContains(t, err, "remove it and give it")
	_, err = h.ChangeModelEndpoint(ctx, h.Actor, other.ID, -1, nil,
		func(x *model.Endpoint) error { x.URL = secret.URL; return nil })
	require.ErrorContains(t, err, "remove it and give it")
	_, err = dbtest.Raw(t, h.Dir).Exec("UPDATE model_endpoints SET url = ? WHERE id = ?", secret.URL, other.ID)
	require.NoError(t, err)
	other, err = h.ChangeModelEndpoint(ctx, h.Actor, other.ID, -1, nil,
		func(x *model.Endpoint) error { x.Enabled = false; return nil })
	require.NoError(t, err)
	require.False(t, other.Enabled)

	// no key and no address is in the log, the settings or an error
	for _, query := range []string{"SELECT CAST(bytes AS TEXT) FROM events",
		"SELECT coalesce(CAST(sealed AS TEXT), '') FROM model_endpoints"} {
		for _, line := range dbtest.TextsOf(t, dbtest.Raw(t, h.Dir), query) {
			require.NotContains(t, line, "sk-")
			require.NotContains(t, line, "swordfish")
		}
	}
}

// TestModelsOfAnotherTenant gives a second tenant no sight of endpoints, answers and spending.
func TestModelsOfAnotherTenant(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	e, err := h.AddModelEndpoint(ctx, h.Actor, dbtest.AnEndpoint("Mine"), "sk-1")
	require.NoError(t, err)
	s := dbtest.FullSession()
	h.AddSession(t, s)
	require.NoError(t, h.SaveModelCalls(ctx, h.Tenant.ID, s.ID, 0, []model.Answered{dbtest.Questioned(&e, "d1", true)}))
	other, err := h.AddTenant(ctx, "other", "Other")
	require.NoError(t, err)
	stranger := h.Actor
	stranger.Tenant = other.ID
	for what, err := range map[string]error{
		"read": second(h.ModelEndpoint(ctx, other.ID, e.ID)),
		"name": second(h.ModelEndpoint(ctx, other.ID, "Mine")),
		"change": second(h.ChangeModelEndpoint(ctx, stranger, e.ID, -1, nil,
			func(*model.Endpoint) error { return nil })),
		"remove": h.RemoveModelEndpoint(ctx, stranger, e.ID, -1),
		"save":   h.SaveModelCalls(ctx, other.ID, s.ID, 0, []model.Answered{dbtest.Questioned(&e, "d2", true)}),
	} {
		require.Equal(t, domain.NotFound, domain.KindOf(err), what)
	}
	list, err := h.ModelEndpoints(ctx, other.ID)
	require.NoError(t, err)
	require.Empty(t, list)
	found, err := h.ModelAnswer(ctx, other.ID, s.ID, "job1", "d1")
	require.NoError(t, err)
	require.Nil(t, found)
	spent, err := h.ModelSpending(ctx, other.ID, e.ID, dbtest.Now)
	require.NoError(t, err)
	require.Zero(t, spent)
	_, err = h.AddModelEndpoint(ctx, stranger, dbtest.AnEndpoint("Mine"), "")
	require.NoError(t, err, "a name is unique in its tenant only")
}

func second[T any](_ T, err error) error { return err }

// TestModelAnswersAndSpending keeps answers for whom they count, adds up what was spent, and erases.
func TestModelAnswersAndSpending(t *testing.T) {
	b := dbtest.NewBoard(t)
	ctx := b.Ctx
	e, err := b.AddModelEndpoint(ctx, b.Admin, dbtest.AnEndpoint("Small"), "")
	require.NoError(t, err)
	s := dbtest.FullSession()
	b.AddSession(t, s)
	failed := dbtest.Questioned(&e, "", false)
	failed.Call.Fault, failed.Answer = "timeout", nil
	nextDay := dbtest.Questioned(&e, "d3", true)
	nextDay.Call.At = dbtest.Now.Add(24 * time.Hour)
	require.NoError(t, b.SaveModelCalls(ctx, b.Tenant.ID, s.ID, 0,
		[]model.Answered{dbtest.Questioned(&e, "d1", true), dbtest.Questioned(&e, "d2", false), failed}))
	require.NoError(t, b.SaveModelCalls(ctx, b.Tenant.ID, s.ID, 0, []model.Answered{nextDay}))
	one := model.Spending{Calls: 3, Failed: 1, TokensIn: 300, TokensOut: 30, Cost: 135}
	spent, err := b.ModelSpending(ctx, b.Tenant.ID, e.ID, dbtest.Now)
	require.NoError(t, err)
	require.Equal(t, one, spent)
	days, err := b.ModelDays(ctx, b.Tenant.ID, e.ID, 10)
	require.NoError(t, err)
	require.Len(t, days, 2)
	require.Equal(t, one, days[1].Spending)
	require.Greater(t, days[0].Day, days[1].Day)
	run, err := b.ModelRunSpending(ctx, b.Tenant.ID, s.ID, "job1", e.ID)
	require.NoError(t, err)
	require.Equal(t, 4, run.Calls)
	kept := func(job, digest string) bool {
		a, err := b.ModelAnswer(ctx, b.Tenant.ID, s.ID, job, digest)
		require.NoError(t, err)
		return a != nil && strings.Contains(a.Text, "unreleased")
	}
	require.True(t, kept("job2", "d1"))
	require.True(t, kept("job1", "d2"), "for the job that asked")
	require.False(t, kept("job2", "d2"), "another job asks again")

	// an erased document takes all answers with it, and none comes back from a run that began before
	b.Erase(t, erasure.Document, s.Documents[0].ID)
	require.False(t, kept("job1", "d1"))
	require.Equal(t, domain.Conflict, domain.KindOf(b.SaveModelCalls(ctx, b.Tenant.ID, s.ID, 0,
		[]model.Answered{dbtest.Questioned(&e, "d4", true)})))
	d := dbtest.Raw(t, b.Dir)
	require.Zero(t, dbtest.Count(t, d, "model_answers"))
	require.Zero(t, dbtest.Count(t, d, "model_calls WHERE question <> '' OR answer <> ''"))
	spent, err = b.ModelSpending(ctx, b.Tenant.ID, e.ID, dbtest.Now)
	require.NoError(t, err)
	require.Equal(t, 4, spent.Calls, "what was spent is spent")
	require.NoError(t, b.SaveModelCalls(ctx, b.Tenant.ID, s.ID, 1, []model.Answered{dbtest.Questioned(&e, "d5", true)}))
	b.Erase(t, erasure.Session, s.ID)
	require.Zero(t, dbtest.Count(t, d, "model_answers"))
	require.Zero(t, dbtest.Count(t, d, "model_calls"))
}
