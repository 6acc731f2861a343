-- The hour's failed logins of a user, or of unknown names, to be counted on.
delete from audit
where at >= @since
  and action = @action
  and details ->> 'user' is @user
returning details ->> 'count' as count
