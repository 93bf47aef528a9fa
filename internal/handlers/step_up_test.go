package handlers_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
)

// Who has one-time codes gives one with the approval; no code counts twice.
func TestApprovalAsksForTheCodeToo(t *testing.T) {
	s := newServer(t)
	who, secret := s.person("approver"), auth.NewTOTP()
	sealed, err := s.keys.Seal("totp/"+who.ID, secret)
	require.NoError(t, err)
	require.NoError(t, s.store.SetTOTP(context.Background(), domain.Actor{Tenant: s.tenant.ID, ID: who.ID, Role: domain.Approver, Human: true}, who.ID, sealed, nil))
	one, two := s.inReview("dec_1", "A2"), s.inReview("dec_2", "A2")
	code := s.currentCode(secret)
	approve := func(id, pass, code string) int {
		return s.as("approver").do("POST", "/api/v1/packs/"+id+"/approve", fmt.Sprintf(`{"password":%q,"code":%q}`, pass, code)).Code
	}
	require.Equal(t, 403, approve(one.PackID, password, ""))
	require.Equal(t, 403, approve(one.PackID, "wrong", code))
	require.Equal(t, 200, approve(one.PackID, password, code))
	require.Equal(t, 403, approve(two.PackID, password, code))
}

// Who has no password here cannot give one by token, and is told where to go.
func TestApprovalWithoutAPassword(t *testing.T) {
	s := newServer(t)
	p := s.inReview("dec_1", "A2")
	u, err := s.store.AddUser(context.Background(), domain.AtCommandLine(s.tenant.ID), db.User{Login: "sso", Name: "By SSO"}, domain.Approver)
	require.NoError(t, err)
	token := s.newToken(u.ID, s.tenant.ID, domain.Approver)
	for _, pass := range []string{"", password} {
		refused := get[problem](t, s.as("").do("POST", "/api/v1/packs/"+p.PackID+"/approve", `{"password":"`+pass+`"}`, "Authorization", "Bearer "+token), 403)
		require.Contains(t, refused.Detail, "on the page")
	}
}

// A token acts with the lower of its role and its person's.
func TestALowTokenOfAnApprover(t *testing.T) {
	s := newServer(t)
	p := s.inReview("dec_1", "A2")
	token := s.newToken(s.person("approver").ID, s.tenant.ID, domain.Reviewer)
	require.Equal(t, 403, s.as("").do("POST", "/api/v1/packs/"+p.PackID+"/approve", approval, "Authorization", "Bearer "+token).Code)
}

// Legal hold and purge by API: an administrator asks once the seven years are over and nothing holds the pack, somebody
// else confirms, and the tombstone stays.
func TestRetentionByAPI(t *testing.T) {
	s := newServer(t)
	p := s.signed("dec_1")
	path := "/packs/" + p.PackID
	require.NotNil(t, s.api("admin", "POST", path+"/hold", `{"reason":"a claim in court"}`)(200).LegalHold)
	require.Equal(t, 409, s.as("admin").do("POST", "/api/v1"+path+"/hold", `{"reason":"again"}`).Code)
	s.clock.move(8 * 365 * 24 * time.Hour)
	s.people = map[string]*person{}
	s.people["admin"], s.people["approver"] = s.addPerson("admin2", s.tenant.ID, domain.Admin), s.addPerson("approver2", s.tenant.ID, domain.Approver)
	require.Equal(t, 409, s.as("admin").do("POST", "/api/v1"+path+"/purge", "").Code, "held")
	require.Nil(t, s.api("admin", "POST", path+"/hold/lift", `{"reason":"settled"}`)(200).LegalHold)

	asked := get[map[string]any](t, s.as("admin").do("POST", "/api/v1"+path+"/purge", ""), 201)
	require.Equal(t, "asked", asked["status"])
	require.Positive(t, asked["files"])
	s.api("admin", "GET", path, "")(200)
	purge := "/api/v1/pack-purges/" + asked["purge_id"].(string)
	require.Equal(t, 403, s.as("admin").do("POST", purge+"/confirm", `{"password":"`+password+`"}`).Code, "a second person")
	require.Equal(t, 403, s.as("approver").do("POST", purge+"/confirm", `{"password":"wrong"}`).Code)
	stone := get[map[string]any](t, s.as("approver").do("POST", purge+"/confirm", `{"password":"`+password+`"}`), 200)
	require.Equal(t, p.Digest, stone["digest"])
	require.Equal(t, 404, s.as("admin").do("GET", "/api/v1"+path, "").Code)
	list := s.as("approver").do("GET", "/api/v1/pack-purges", "").Body.String()
	require.Contains(t, list, `"tombstones":[{"pack_id":"`+p.PackID)
}

// manySources is a decision with n sources.
func manySources(id string, n int) string {
	source := `{"source":"web.site","uri":"https://hospital.example/about","excerpt":"We run 300 beds.","retrieved_at":"2026-11-21T07:10:00Z","confidence":0.5},`
	return strings.Replace(decisionOf(id, "A2"), `"evidence":[`, `"evidence":[`+strings.Repeat(source, n-3), 1)
}

// signedWith signs off a pack of n sources.
func (s *server) signedWith(id string, n int) packJSON {
	s.t.Helper()
	require.Equal(s.t, 201, s.as("reviewer").do("POST", "/api/v1/decisions", manySources(id, n)).Code)
	p := s.api("reviewer", "POST", "/packs", `{"decision_id":"`+id+`"}`)(201)
	s.api("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	return s.api("approver", "POST", "/packs/"+p.PackID+"/approve", approval)(200)
}

// BenchmarkAPIPack reads a signed pack of 100 sources, and takes such a decision in.
func BenchmarkAPIPack(b *testing.B) {
	s := benchServer(b)
	many := func(id string) string { return manySources(id, 100) }
	p := s.signedWith("dec_1", 100)
	b.Run("show", func(b *testing.B) {
		for b.Loop() {
			require.Equal(b, 200, s.as("viewer").do("GET", "/api/v1/packs/"+p.PackID, "").Code)
		}
	})
	b.Run("decide", func(b *testing.B) {
		n := 1
		for b.Loop() {
			n++
			require.Equal(b, 201, s.as("reviewer").do("POST", "/api/v1/decisions", many(fmt.Sprint("dec_", n))).Code)
		}
	})
}
