package accounts_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/handlers/web"
	"sanad/internal/handlers/webtest"
)

// TestDeputyOnTheAccountPage: an approver names a deputy and ends it, in both languages; what is refused says why beside
// the field, and keeps what was typed.
func TestDeputyOnTheAccountPage(t *testing.T) {
	s := webtest.NewServer(t)
	other := s.AddPerson("other.approver", s.Tenant.ID, access.Approver)
	self := s.Person("approver")
	a := s.As("approver")
	until := s.Clock.Now().AddDate(0, 0, 5).Format(time.DateOnly)
	w := a.Post("/account/deputy", webtest.Form("deputy", self.User.ID, "until", until))
	require.Equal(t, 422, w.Code)
	require.Contains(t, w.Body.String(), "Nobody is their own deputy")
	require.Contains(t, w.Body.String(), `value="`+until+`"`)
	w = a.Post("/account/deputy", webtest.Form("deputy", s.Person("reviewer").User.ID, "until", until),
		"Accept-Language", "ar")
	require.Equal(t, 422, w.Code)
	require.Contains(t, w.Body.String(), "يجب أن يكون النائب معتمِدًا")
	w = a.Post("/account/deputy", webtest.Form("deputy", other.User.ID, "until", "soon"))
	require.Equal(t, 422, w.Code)
	require.Contains(t, w.Body.String(), "Give the day as year, month and day")
	require.Equal(t, 303, a.Post("/account/deputy", webtest.Form("deputy", other.User.ID, "until", until)).Code)
	_, page := s.Page("approver", "/account")
	require.Contains(t, page, "The other.approver")
	require.Contains(t, page, "to 26 Nov 2026", "the last day is part of it")
	_, page = s.Page("other.approver", "/account")
	require.Contains(t, page, "A deputy cannot have a deputy of their own at the same time.")
	require.Contains(t, webtest.Between(page, `id="deputy"`, "</section>"), `<details class="fold">`, "a form for other days")
	w = a.Post("/account/deputy", webtest.Form("deputy", other.User.ID, "until", until))
	require.Equal(t, 409, w.Code)
	all, err := s.Store.Deputies(t.Context(), s.Tenant.ID)
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, 404, s.As("reviewer").Post("/account/deputies/"+all[0].ID+"/end", "").Code)
	require.Equal(t, 303, a.Post("/account/deputies/"+all[0].ID+"/end", "").Code)
	require.NotContains(t, s.As("reviewer").Do("GET", "/account", "").Body.String(), `id="deputy"`)
}

// narrow answers by role, but lets nobody manage people while it is set, as a stricter OpenFGA model does.
type narrow bool

func (n *narrow) Allowed(ctx context.Context, who access.Actor, what access.Action, on access.Object) (bool, error) {
	may, err := access.ByRole{}.Allowed(ctx, who, what, on)
	return may && !(bool(*n) && what == access.ManageUsers), err
}

// TestDeputiesOfOthersInTheAPI: who may manage people is the Authorizer's to say, and ending somebody else's deputy
// needs a fresh password.
func TestDeputiesOfOthersInTheAPI(t *testing.T) {
	shut := new(narrow)
	s := webtest.NewServer(t, func(o *web.Options) { o.Authorizer = shut })
	other := s.AddPerson("other.approver", s.Tenant.ID, access.Approver)
	self := s.Person("approver")
	days := `"deputy":"` + other.User.ID + `","until":"` + s.Clock.Now().AddDate(0, 0, 5).Format(time.DateOnly) + `"`
	w := s.As("approver").Do("POST", "/api/v1/deputies", "{"+days+"}")
	require.Equal(t, 201, w.Code, w.Body.String())
	id := webtest.Between(w.Body.String(), `"deputy_id":"`, `"`)
	admin, end, password := s.As("admin"), "/api/v1/deputies/"+id+"/end", `{"password":"`+webtest.Password+`"}`

	*shut = true
	require.NotContains(t, admin.Do("GET", "/api/v1/deputies", "").Body.String(), id)
	require.Equal(t, 404, admin.Do("POST", end, password).Code)
	require.Equal(t, 404, admin.Do("POST", "/api/v1/deputies", `{"user_id":"`+self.User.ID+`",`+days+
		`,"password":"`+webtest.Password+`"}`).Code)
	*shut = false
	require.Contains(t, admin.Do("GET", "/api/v1/deputies", "").Body.String(), id)
	require.Equal(t, 422, admin.Do("POST", end, "").Code)
	require.Equal(t, 404, admin.Post("/account/deputies/"+id+"/end", "").Code)
	require.Equal(t, 200, admin.Do("POST", end, password).Code)
}
