package packs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/handlers/webtest"
)

// policyFields returns a policy as the form sends it.
func policyFields(p *pack.Policy) map[string]string {
	out := map[string]string{"version": strconv.Itoa(p.Version)}
	for i := range p.Rules {
		for _, class := range pack.ApprovalClasses {
			out[p.Rules[i].Rule+"."+class] = string(p.Rules[i].In(class))
			if p.Rules[i].Days != nil {
				out["days."+class] = strconv.Itoa(p.Rules[i].Days.Of(class))
			}
		}
	}
	return out
}

func formOf(fields map[string]string) string {
	var pairs []string
	for name, value := range fields {
		pairs = append(pairs, name, value)
	}
	return webtest.Form(pairs...)
}

func policyOf(t *testing.T, s *webtest.Server) *pack.Policy {
	t.Helper()
	p, err := s.Store.Policy(context.Background(), s.Tenant.ID)
	require.NoError(t, err)
	return p
}

// Each rule can be changed in each class to each demand, on the page and by the API, and nothing else changes with it.
func TestPolicyOfEachRuleAndClass(t *testing.T) {
	s := webtest.NewServer(t)
	byPage := func(next *pack.Policy) {
		res := s.Post("/admin/policy", formOf(policyFields(next)))
		require.Equal(t, 303, res.Code, res.Body.String())
	}
	byAPI := func(next *pack.Policy) {
		body, err := json.Marshal(next)
		require.NoError(t, err)
		res := s.Do("PUT", "/api/v1/policy", string(body), "If-Match", fmt.Sprintf(`"policy.%d"`, next.Version))
		require.Equal(t, 200, res.Code, res.Body.String())
		require.Equal(t, fmt.Sprintf(`"policy.%d"`, next.Version+1), res.Header().Get("ETag"))
	}
	for i, rule := range pack.PolicyRules {
		for _, class := range pack.ApprovalClasses {
			for k, demand := range pack.Demands {
				next := policyOf(t, s)
				if next.Rules[i].In(class) == demand {
					continue
				}
				next.Rules[i].Set(class, demand)
				[]func(*pack.Policy){byPage, byAPI}[k%2](next)
				next.Version++
				require.Equal(t, next, policyOf(t, s), "%s in %s: %s", rule, class, demand)
			}
		}
	}
	next := policyOf(t, s)
	fields := policyFields(next)
	fields["days.A2"], fields["bulk"] = "45", "1"
	require.Equal(t, 303, s.Post("/admin/policy", formOf(fields)).Code)
	now := policyOf(t, s)
	require.Equal(t, 45, now.Rules[len(now.Rules)-1].Days.A2)
	require.True(t, now.BulkConfirmsAll)
}

func TestPolicyRefused(t *testing.T) {
	s := webtest.NewServer(t)
	for name, c := range map[string]struct{ field, value, keeps string }{
		"no number":      {"days.A2", "ninety", `value="ninety"`},
		"too few days":   {"days.A3", "0", `name="days.A3" value="0"`},
		"too many days":  {"days.A3", "99999", `value="99999"`},
		"unknown demand": {"all_reviewed.A1", "never", `name="days.A0" value="365"`},
	} {
		t.Run(name, func(t *testing.T) {
			fields := policyFields(pack.DefaultPolicy())
			fields["critical_reviewed.A0"], fields[c.field] = "must", c.value
			res := s.Post("/admin/policy", formOf(fields))
			require.Equal(t, 422, res.Code)
			page := res.Body.String()
			require.Contains(t, page, c.keeps, "what was typed is kept")
			choice := webtest.FindGroup(t, `(?s)name="critical_reviewed.A0"[^>]*>(.*?)</select>`, page)
			require.Contains(t, choice, `<option value="must" selected>`, "what was chosen is kept")
			require.Contains(t, page, `role="alert"`)
			require.Zero(t, policyOf(t, s).Version)
		})
	}
	good, err := json.Marshal(pack.DefaultPolicy())
	require.NoError(t, err)
	for name, c := range map[string]struct {
		body, match string
		status      int
		path        string
	}{
		"unknown demand":    {body: strings.Replace(string(good), `"must"`, `"never"`, 1), match: "*", status: 422, path: "rules"},
		"a rule missing":    {body: `{"rules":[],"bulk_confirms_all":false}`, match: "*", status: 422, path: "rules"},
		"days out of range": {body: strings.Replace(string(good), `"A2":90`, `"A2":0`, 1), match: "*", status: 422, path: "rules"},
		"no If-Match":       {body: string(good), status: 428},
		"stale If-Match":    {body: string(good), match: `"policy.7"`, status: 412},
	} {
		t.Run("api "+name, func(t *testing.T) {
			var headers []string
			if c.match != "" {
				headers = []string{"If-Match", c.match}
			}
			res := s.Do("PUT", "/api/v1/policy", c.body, headers...)
			fault := webtest.Get[webtest.Problem](t, res, c.status)
			require.True(t, strings.HasPrefix(fault.Path, c.path), "%q", fault.Path)
			require.NotEmpty(t, fault.Detail)
		})
	}
}

// Of two administrators, the second one to save is told, and their choices are kept.
func TestPolicyChangedMeanwhile(t *testing.T) {
	s := webtest.NewServer(t)
	first, second := policyFields(pack.DefaultPolicy()), policyFields(pack.DefaultPolicy())
	first["all_reviewed.A0"], second["all_reviewed.A1"] = "must", "must"
	require.Equal(t, 303, s.Post("/admin/policy", formOf(first)).Code)
	res := s.Post("/admin/policy", formOf(second))
	require.Equal(t, 409, res.Code)
	require.Contains(t, res.Body.String(), "Somebody else has changed the policy")
	choice := webtest.FindGroup(t, `(?s)name="all_reviewed.A1"[^>]*>(.*?)</select>`, res.Body.String())
	require.Contains(t, choice, `<option value="must" selected>`)
	require.Equal(t, pack.Off, policyOf(t, s).Demand("all_reviewed", "A1"))
}

// A pack keeps the policy that it was submitted under, and says so on its page, in JSON and in its files.
func TestPolicyChangedWhileInReview(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.InReview("dec_1", "A2")
	under := policyOf(t, s).Version
	path := "/packs/" + p.PackID
	code, page := s.Page("approver", path)
	require.Equal(t, 200, code)
	require.Contains(t, page, fmt.Sprintf("Version %d, class A2", under))
	require.NotContains(t, page, "this pack keeps")

	strict := policyOf(t, s)
	for i := range strict.Rules { // under it, the pack could not be signed
		strict.Rules[i].A2 = pack.Must
	}
	require.Equal(t, 303, s.Post("/admin/policy", formOf(policyFields(strict))).Code)
	_, page = s.Page("approver", path)
	require.Contains(t, page, fmt.Sprintf("Version %d is now in force", under+1))
	require.Contains(t, page, fmt.Sprintf("Version %d, class A2", under))

	type record struct {
		Policy struct {
			Version int
			Class   string
		}
	}
	read := func() record {
		return webtest.Get[record](t, s.As("viewer").Do("GET", "/api/v1"+path, ""), 200)
	}
	require.Equal(t, under, read().Policy.Version)
	signed := s.API("approver", "POST", path+"/approve", webtest.ApprovalOf(p))(200)
	require.Equal(t, "signed_off", signed.Status, "by the policy that it was submitted under")
	require.Equal(t, under, read().Policy.Version)

	files := s.Files(p.PackID)
	var frozen record
	require.NoError(t, json.Unmarshal(files["pack.json"], &frozen))
	require.Equal(t, under, frozen.Policy.Version)
	require.Contains(t, string(files["pack.md"]), fmt.Sprintf("ersion %d", under))
	require.NotContains(t, string(files["pack.md"]), fmt.Sprintf("ersion %d, class", under+1))
}
