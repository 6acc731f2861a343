-- How many users have the role.
select count(*) as users
from user
where role = @role
