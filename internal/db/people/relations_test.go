package people_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
)

// TestRelations checks that enabled members and machine tokens have a role, and nobody else.
func TestRelations(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	by := access.AtCommandLine(h.Tenant.ID)
	other, _ := h.NewTenant(t, "other")
	add := func(tenant, login string, role access.Role) db.User {
		u, err := h.AddUser(ctx, access.AtCommandLine(tenant), db.User{Login: login, Name: login, Password: "x"}, role)
		require.NoError(t, err)
		return u
	}
	token := func(k access.Token) access.Token {
		k.Hash = uuid.NewString()
		made, err := h.AddToken(ctx, by, k)
		require.NoError(t, err)
		return made
	}
	admin, viewer := add(h.Tenant.ID, "admin", access.Admin), add(h.Tenant.ID, "viewer", access.Viewer)
	shut, gone := add(h.Tenant.ID, "shut", access.Approver), add(h.Tenant.ID, "gone", access.Approver)
	require.NoError(t, h.SetMemberDisabled(ctx, by, shut.ID, true))
	require.NoError(t, h.SetUserDisabled(ctx, by, gone.ID, true))
	elsewhere := add(other.ID, "elsewhere", access.Admin)
	require.NoError(t, h.AddMember(ctx, access.AtCommandLine(other.ID), viewer.ID, access.Approver))
	valid := token(access.Token{Name: "valid", Role: access.Reviewer, ExpiresAt: dbtest.Now.Add(time.Hour)})
	token(access.Token{Name: "hers", UserID: admin.ID, Role: access.Viewer, ExpiresAt: dbtest.Now.Add(time.Hour)})
	revoked := token(access.Token{Name: "revoked", Role: access.Admin, ExpiresAt: dbtest.Now.Add(time.Hour)})
	require.NoError(t, h.RevokeToken(ctx, by, revoked.ID))
	expired := token(access.Token{Name: "expired", Role: access.Admin, ExpiresAt: dbtest.Now.Add(time.Hour)})
	_, err := dbtest.Raw(t, h.Dir).Exec("UPDATE api_tokens SET expires_at = ? WHERE id = ?",
		"2026-03-01T12:30:45.123456789Z",
		expired.ID)
	require.NoError(t, err)

	for tenant, want := range map[string]map[string]access.Role{
		h.Tenant.ID:      {admin.ID: access.Admin, viewer.ID: access.Viewer, valid.ID: access.Reviewer},
		other.ID:         {elsewhere.ID: access.Admin, viewer.ID: access.Approver},
		uuid.NewString(): {},
	} {
		page, err := h.Relations(ctx, tenant, "")
		require.NoError(t, err)
		got := map[string]access.Role{}
		for _, r := range page {
			got[r.ID] = r.Role
		}
		require.Equal(t, want, got)
	}
	ids, err := h.TenantIDs(ctx, "")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{db.SystemTenant, h.Tenant.ID, other.ID}, ids)
	rest, err := h.TenantIDs(ctx, ids[len(ids)-1])
	require.NoError(t, err)
	require.Empty(t, rest)
}

// TestRelationsInPages checks that pages have no gaps, with members and machines mixed.
func TestRelationsInPages(t *testing.T) {
	ctx := context.Background()
	h := dbtest.New(t)
	d, err := dbtest.Raw(t, h.Dir).Begin()
	require.NoError(t, err)
	want := map[string]bool{}
	for i := range 1300 {
		id := uuid.NewString()
		want[id] = true
		if i%2 == 0 {
			_, err = d.Exec("INSERT INTO users VALUES (?, ?, 'n', '', '', '', NULL, 0, '', '')", id, fmt.Sprint("u", i))
			require.NoError(t, err)
			_, err = d.Exec("INSERT INTO memberships VALUES (?, ?, 'viewer', '', '', '')", h.Tenant.ID, id)
		} else {
			_, err = d.Exec(`INSERT INTO api_tokens (id, tenant_id, name, role, hash, created_at, created_by, expires_at, revoked_at, last_used_at)
				VALUES (?, ?, 'n', 'viewer', ?, '', '', '2999', '', '')`, id, h.Tenant.ID, id)
		}
		require.NoError(t, err)
	}
	require.NoError(t, d.Commit())
	var sizes []int
	after := ""
	for {
		page, err := h.Relations(ctx, h.Tenant.ID, after)
		require.NoError(t, err)
		sizes = append(sizes, len(page))
		if len(page) == 0 {
			break
		}
		for _, r := range page {
			require.True(t, want[r.ID] && r.ID > after, "each once, in order")
			delete(want, r.ID)
			after = r.ID
		}
	}
	require.Equal(t, []int{1000, 300, 0}, sizes)
	require.Empty(t, want)
}

// TestRolesChanged checks that RolesChanged is called after each committed change of roles, and for no other change.
func TestRolesChanged(t *testing.T) {
	ctx := context.Background()
	told := 0
	s, err := db.Open(ctx, db.Options{Dir: dbtest.Dir(t), Now: func() time.Time { return dbtest.Now },
		NewID:        uuid.NewString,
		Keys:         dbtest.MasterKey(t, 1),
		RolesChanged: func() { told++ }})
	require.NoError(t, err)
	defer s.Close() //nolint:errcheck // end of the test
	tenant, err := s.EnsureTenant(ctx, "main", "Main")
	require.NoError(t, err)
	other, err := s.EnsureTenant(ctx, "other", "Other")
	require.NoError(t, err)
	require.Zero(t, told)
	by := access.AtCommandLine(tenant.ID)
	u, err := s.AddUser(ctx, by, db.User{Login: "noura", Name: "Noura", Password: "x"}, access.Admin)
	require.NoError(t, err)
	_, err = s.AddUser(ctx, by, db.User{Login: "ali", Name: "Ali", Password: "x"}, access.Admin)
	require.NoError(t, err)
	k := access.Token{Name: "import", Role: access.Viewer, Hash: "h", ExpiresAt: dbtest.Now.Add(time.Hour)}
	k, err = s.AddToken(ctx, by, k)
	require.NoError(t, err)
	require.Equal(t, 3, told)
	for i, change := range []func() error{
		func() error { return s.SetRole(ctx, by, u.ID, access.Viewer) },
		func() error { return s.SetMemberDisabled(ctx, by, u.ID, true) },
		func() error { return s.SetUserDisabled(ctx, by, u.ID, true) },
		func() error { return s.AddMember(ctx, access.AtCommandLine(other.ID), u.ID, access.Viewer) },
		func() error { return s.RevokeToken(ctx, by, k.ID) },
	} {
		require.NoError(t, change())
		require.Equal(t, 4+i, told)
	}
	_, err = s.AddUser(ctx, by, db.User{Login: "noura", Name: "Again", Password: "x"}, access.Viewer)
	require.Error(t, err)
	require.Equal(t, 8, told, "a rolled back change sends no notice")
	require.NoError(t, s.SetPassword(ctx, by, u.ID, db.NewPassword{PHC: "y"}))
	require.Equal(t, 9, told, "a new password ends tokens")
}
