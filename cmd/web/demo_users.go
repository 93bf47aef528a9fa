package main

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
)

// demoPeople are invented, one for each role.
var demoPeople = []struct {
	role               access.Role
	login, name, title string
}{
	{role: access.Viewer, login: "maryam", name: "Maryam Al Hamli · مريم الهاملي", title: "Internal Auditor · مدققة داخلية"},
	{role: access.Reviewer, login: "yousef", name: "Yousef Al Balushi · يوسف البلوشي", title: "Contracts Analyst · محلل عقود"},
	{role: access.Approver, login: "sara", name: "Sara Al Dosari · سارة الدوسري", title: "Head of Procurement · مديرة المشتريات"},
	{role: access.Admin, login: "khalid", name: "Khalid Al Marri · خالد المري", title: "Systems Administrator · مسؤول الأنظمة"},
}

// demoUsers creates one user per role with a random password and prints the passwords, once: only their hashes are
// stored. A tenant that has users keeps those.
func demoUsers(ctx context.Context, store *db.Store, tenant db.Tenant, c config, out io.Writer) error {
	members, err := store.Members(ctx, tenant.ID)
	if err != nil {
		return err
	}
	if len(members) > 0 {
		fmt.Fprintf(out, "This folder has users already; their passwords were shown when they were made.\n"+
			"  list   sanad user list --data %q --master-key-file %q\n  reset  sanad user passwd LOGIN --data %[1]q "+
			"--master-key-file %[2]q\n",
			c.data, c.masterKeyFile)
		return nil
	}
	fmt.Fprintln(out, "Users of this demo; their passwords are shown this once:")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  role\tlogin\tpassword")
	for _, p := range demoPeople {
		plain, err := demoUser(ctx, store, tenant, p.role, p.login, p.name, p.title)
		if err != nil {
			_ = w.Flush() // the users created so far
			return err
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\n", p.role, p.login, plain)
	}
	return w.Flush()
}

func demoUser(ctx context.Context, store *db.Store, tenant db.Tenant, role access.Role,
	login, name, title string) (plain string, err error) {
	pass, err := new(passwordFlags).choose(ctx, auth.NewPassword{Login: login}, nil)
	if err != nil {
		return "", err
	}
	operator := access.AtCommandLine(tenant.ID)
	u, err := store.AddUser(ctx, operator, db.User{Login: login, Name: name, Password: pass.hash}, role)
	if err != nil {
		return "", err
	}
	return pass.plain, store.SetTitle(ctx, operator, u.ID, title)
}
