package packs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/handlers/webtest"
)

// Users with an authenticator app give a one-time code with the approval; no code is accepted twice.
func TestApprovalAsksForTheCodeToo(t *testing.T) {
	s := webtest.NewServer(t)
	who, secret := s.Person("approver"), auth.NewTOTP()
	sealed, err := s.Keys.Seal("totp/"+who.ID, secret)
	require.NoError(t, err)
	require.NoError(t, s.Store.SetTOTP(context.Background(),
		access.Actor{Tenant: s.Tenant.ID, ID: who.ID, Role: access.Approver, Human: true}, who.ID, sealed, nil))
	one, two := s.InReview("dec_1", "A2"), s.InReview("dec_2", "A2")
	code := s.CurrentCode(secret)
	approve := func(id, pass, code string) int {
		return s.As("approver").Do("POST", "/api/v1/packs/"+id+"/approve",
			fmt.Sprintf(`{"password":%q,"code":%q,"acknowledged":%s}`, pass, code, webtest.Alarms)).Code
	}
	require.Equal(t, 403, approve(one.PackID, webtest.Password, ""))
	require.Equal(t, 403, approve(one.PackID, "wrong", code))
	require.Equal(t, 200, approve(one.PackID, webtest.Password, code))
	require.Equal(t, 403, approve(two.PackID, webtest.Password, code))
}

// Users without a password cannot approve with a token; the error says where they can.
func TestApprovalWithoutAPassword(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.InReview("dec_1", "A2")
	u, err := s.Store.AddUser(context.Background(), access.AtCommandLine(s.Tenant.ID),
		db.User{Login: "sso", Name: "By SSO"}, access.Approver)
	require.NoError(t, err)
	token := s.NewToken(u.ID, s.Tenant.ID, access.Approver)
	for _, pass := range []string{"", webtest.Password} {
		refused := webtest.Get[webtest.Problem](t,
			s.As("").Do("POST", "/api/v1/packs/"+p.PackID+"/approve", `{"password":"`+pass+`"}`, "Authorization",
				"Bearer "+token), 403)
		require.Contains(t, refused.Detail, "on the page")
	}
}

// Legal hold and purge by API: an administrator asks once the seven years are over and nothing holds the pack, somebody
// else confirms, and the tombstone stays.
func TestRetentionByAPI(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Signed("dec_1")
	path := "/packs/" + p.PackID
	require.NotNil(t, s.API("admin", "POST", path+"/hold", `{"reason":"a claim in court"}`)(200).LegalHold)
	require.Equal(t, 409, s.As("admin").Do("POST", "/api/v1"+path+"/hold", `{"reason":"again"}`).Code)
	require.NoError(t, s.Store.SetUserDisabled(context.Background(), access.AtCommandLine(s.Tenant.ID), s.Person("admin").ID, true))
	s.Clock.Move(8 * 365 * 24 * time.Hour)
	s.SetPerson("admin", s.AddPerson("admin2", s.Tenant.ID, access.Admin))
	s.SetPerson("approver", s.AddPerson("approver2", s.Tenant.ID, access.Approver))
	require.Equal(t, 409, s.As("admin").Do("POST", "/api/v1"+path+"/purge", "").Code, "held")
	require.Nil(t, s.API("admin", "POST", path+"/hold/lift", `{"reason":"settled"}`)(200).LegalHold)

	asked := webtest.Get[map[string]any](t, s.As("admin").Do("POST", "/api/v1"+path+"/purge", ""), 201)
	require.Equal(t, "asked", asked["status"])
	require.Positive(t, asked["files"])
	s.API("admin", "GET", path, "")(200)
	purge := "/api/v1/pack-purges/" + asked["purge_id"].(string)
	require.Equal(t, 403, s.As("admin").Do("POST", purge+"/confirm", `{"password":"`+webtest.Password+`"}`).Code,
		"a second person")
	require.Equal(t, 403, s.As("approver").Do("POST", purge+"/confirm", `{"password":"wrong"}`).Code)
	stone := webtest.Get[map[string]any](t,
		s.As("approver").Do("POST", purge+"/confirm", `{"password":"`+webtest.Password+`"}`), 200)
	require.Equal(t, p.Digest, stone["digest"])
	require.Equal(t, 404, s.As("admin").Do("GET", "/api/v1"+path, "").Code)
	list := s.As("approver").Do("GET", "/api/v1/pack-purges", "").Body.String()
	require.Contains(t, list, `"tombstones":[{"pack_id":"`+p.PackID)
}

// Where one person alone makes the accounts, the page of a pack and the API say so, and a second account of that
// person's making changes nothing; where two people do, nothing is said.
func TestPackSaysOneAdministrator(t *testing.T) {
	s := webtest.NewServer(t)
	admin := s.Person("admin")
	said := func(decision string) (onPage, inAPI bool) {
		t.Helper()
		id := s.InReview(decision, "A2").PackID
		page := s.As("approver").Do("GET", "/packs/"+id, "").Body.String()
		p := webtest.Get[struct{ Concerns []struct{ Kind string } }](t,
			s.As("approver").Do("GET", "/api/v1/packs/"+id, ""), 200)
		for _, c := range p.Concerns {
			inAPI = inAPI || c.Kind == "one_administrator"
		}
		return strings.Contains(page, "one administrator"), inAPI
	}
	onPage, inAPI := said("dec_1")
	require.True(t, onPage)
	require.True(t, inAPI)

	by := access.Actor{Tenant: s.Tenant.ID, ID: admin.ID, User: admin.Name, Role: access.Admin, Human: true}
	_, err := s.Store.AddUser(context.Background(), by, db.User{Login: "puppet", Name: "P", Password: webtest.Phc()},
		access.Admin)
	require.NoError(t, err)
	onPage, inAPI = said("dec_2")
	require.True(t, onPage)
	require.True(t, inAPI)

	s.AddPerson("second", s.Tenant.ID, access.Admin)
	onPage, inAPI = said("dec_3")
	require.False(t, onPage)
	require.False(t, inAPI)
}
