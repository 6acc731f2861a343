-- A change of a setting or of the program's version, from the audit log.
select at, action, details
from audit
where at >= @start
  and at < @end
  and action in ('setting_changed', 'setting_entries_changed', 'setting_secret_changed', 'version_changed')
order by id
