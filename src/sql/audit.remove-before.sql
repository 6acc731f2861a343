-- Entries that have been kept long enough.
delete from audit
where at < @before
